import type { Delivery } from "./delivery.ts";
import type { Failure } from "./failure.ts";
import type { AgentId, Branch, Commit, Instant, RunId } from "./ids.ts";
import type { Cli } from "./run.ts";

/** Numbered through the life of the journal; the same number is performed again after a crash, never a new one. */
export type EffectId = number & { readonly brand: "EffectId" };

/**
 * Everything the core can ask of the world. Performing one twice has the result of performing it once: each says what
 * must be so afterwards, not what to do.
 */
export type Effect =
  | { readonly type: "worktree.add"; readonly path: string; readonly branch: Branch; readonly from: Commit | null }
  | { readonly type: "worktree.fill"; readonly path: string }
  | {
      readonly type: "worktree.set-up";
      readonly path: string;
      readonly branch: Branch;
      readonly setUp: SetUp;
      readonly log: string;
    }
  | {
      readonly type: "worktree.undo";
      readonly path: string;
      readonly branch: Branch | null;
      readonly from: Commit | null;
    }
  | { readonly type: "agent.launch"; readonly agent: AgentId; readonly run: RunId; readonly order: LaunchOrder }
  | { readonly type: "agent.end"; readonly run: RunId }
  /** Let go after its turn: it has nothing left to do. */
  | { readonly type: "agent.dismiss"; readonly run: RunId }
  | { readonly type: "agent.brief"; readonly run: RunId; readonly brief: string }
  | { readonly type: "agent.tell"; readonly agent: AgentId; readonly run: RunId }
  | {
      readonly type: "agent.answer";
      readonly run: RunId;
      readonly request: string;
      readonly question: number;
      readonly answer: string;
    }
  | {
      readonly type: "work.save";
      readonly path: string;
      readonly branch: Branch;
      readonly from: Commit | null;
      readonly ref: string;
    }
  | { readonly type: "worktree.remove"; readonly path: string; readonly branch: Branch; readonly saved: Saved }
  | { readonly type: "branch.delete"; readonly branch: Branch; readonly at: Commit };

export type EffectType = Effect["type"];

/** What a new worktree gets besides its files. Recorded with the run, so that a recovery does the same. */
export interface SetUp {
  readonly copy: readonly string[];
  readonly symlink: readonly string[];
  readonly command: string | null;
  readonly timeoutSeconds: number;
  /** The branch that an existing, clean and unpushed one is put onto; null leaves it where it is. */
  readonly rebase: Branch | null;
}

export interface LaunchOrder {
  readonly cli: Cli;
  readonly worktree: string;
  readonly branch: Branch;
  readonly brief: string;
  readonly terminal: boolean;
  readonly port: number | null;
  readonly log: string;
  /** The CLI's own conversation to go on with, if it had one. */
  readonly conversation: string | null;
  /** When that began. */
  readonly conversationSince?: Instant | null;
}

/** How performing went. `saved` and `warnings` are what cannot be observed later. */
export type Outcome =
  | {
      readonly ok: true;
      readonly saved?: Saved;
      readonly warnings?: readonly string[];
      /** How far a text came that was typed into a pane. */
      readonly typed?: Delivery;
      readonly told?: { readonly seq: number; readonly nothingElse: boolean };
      /** Not performed: it was no longer wanted when its turn came. */
      readonly skipped?: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

/** What a backup holds. `ref` is null when there was nothing that is not reachable anyway. */
export interface Saved {
  readonly ref: string | null;
  readonly tip: Commit | null;
  readonly head: Commit | null;
  /** The worktree's content as git names it: what is there later and not in it was not saved. */
  readonly tree: string;
  readonly files: number;
  readonly commits: number;
}

export interface Settled {
  readonly id: EffectId;
  readonly effect: Effect;
  readonly outcome: Outcome;
}
