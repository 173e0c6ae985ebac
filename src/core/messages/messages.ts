import type { IntentPayload } from "../claims/claim.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import { iso } from "../text/instant.ts";

/** What agents and supervisor say to each other. Field names are the wire's, so that git-paw's agents work unchanged. */
export type Message =
  | { readonly type: "agent.status"; readonly agent_id: AgentId; readonly payload: StatusPayload }
  | { readonly type: "agent.artifact"; readonly agent_id: AgentId; readonly payload: ArtifactPayload }
  | { readonly type: "agent.blocked"; readonly agent_id: AgentId; readonly payload: { needs: string; from: AgentId } }
  | { readonly type: "agent.question"; readonly agent_id: AgentId; readonly payload: { question: string } }
  | { readonly type: "agent.intent"; readonly agent_id: AgentId; readonly payload: IntentPayload }
  | {
      readonly type: "agent.retract";
      readonly agent_id: AgentId;
      /** `by` is set where somebody else takes it back: never read from the wire, where it could be anybody's word. */
      readonly payload: { files: readonly string[] | null; by?: AgentId };
    }
  | {
      readonly type: "agent.verified";
      readonly agent_id: AgentId;
      readonly payload: { verified_by: AgentId; message?: string };
    }
  | {
      readonly type: "agent.feedback";
      readonly agent_id: AgentId;
      readonly payload: { from: AgentId; errors: readonly string[] };
    }
  | {
      readonly type: "agent.answer";
      readonly agent_id: AgentId;
      readonly payload: { from: AgentId; answer: string; re?: string };
    }
  | {
      readonly type: "agent.advanced-main";
      readonly from: AgentId;
      readonly merged_branch: string;
      readonly new_main_sha: string;
      readonly base: string;
      readonly merged_at: string;
      readonly summary?: string;
    }
  | { readonly type: "agent.learning"; readonly payload: LearningPayload }
  | { readonly type: "supervisor.verify-now"; readonly branch_id: AgentId };

export type MessageType = Message["type"];

export const MESSAGE_TYPES: readonly MessageType[] = [
  "agent.status",
  "agent.artifact",
  "agent.blocked",
  "agent.question",
  "agent.intent",
  "agent.retract",
  "agent.verified",
  "agent.feedback",
  "agent.answer",
  "agent.advanced-main",
  "agent.learning",
  "supervisor.verify-now",
];

export interface StatusPayload {
  readonly status: string;
  readonly modified_files: readonly string[];
  readonly message: string | null;
  /** `modified_files` is all there is, even if that is nothing: the word of who has looked. */
  readonly complete?: boolean;
  readonly cli?: string;
  readonly phase?: string;
  readonly detail?: unknown;
}

export interface ArtifactPayload {
  readonly status: string;
  readonly exports: readonly string[];
  readonly modified_files: readonly string[];
  /** We saw the commit: the agent may have said more since it made it. */
  readonly observed?: boolean;
  /** Commits made anew (rebase, amend): told before under other names. The word of who has looked. */
  readonly anew?: boolean;
}

export interface LearningPayload {
  readonly id: string;
  readonly agent_id: AgentId;
  readonly branch_id?: AgentId;
  readonly category: string;
  readonly title: string;
  readonly body: unknown;
  readonly timestamp: string;
}

/** A message once it is in the journal. `seq` starts at 1 and has no gaps. */
export interface StoredMessage {
  readonly seq: number;
  readonly id: string;
  readonly at: Instant;
  readonly sender: AgentId;
  /** Inboxes it lands in; `*` is everyone's but the sender's; empty is the log alone. */
  readonly to: readonly AgentId[];
  readonly message: Message;
  /** Idempotency key of the sender, and correlation to something earlier. */
  readonly key: string | null;
  readonly re: string | null;
}

/** How a message's delivered form looks on the wire: the message as sent, with where and when it was stored. */
export function delivered({ seq, id, at, message, key, re }: StoredMessage): Record<string, unknown> {
  return { ...message, seq, id, at: iso(at), ...(key !== null && { key }), ...(re !== null && { re }) };
}
