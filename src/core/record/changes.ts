import type { Intent } from "../claims/intents.ts";
import type { Cursor } from "../messages/cursors.ts";
import type { StoredMessage } from "../messages/messages.ts";
import type { Question } from "../messages/questions.ts";
import type { Role } from "../messages/roles.ts";
import type { RosterEntry } from "../messages/roster.ts";
import type { AgentId, Instant, LaneKey, RunId } from "../text/ids.ts";
import type { AnyEffect, AnyOutcome, EffectId } from "./effects.ts";

/**
 * One row of the journal put, or taken out. A commit is a list of these, stored together or not at all. Two of them
 * are compare-and-swap: a message's seq must follow the head, a lane's version must follow its last; a writer whose
 * memory is behind (or who was paused and replaced) is refused.
 */
export type Change =
  | { readonly row: "message"; readonly put: StoredMessage }
  | { readonly row: "roster"; readonly put: RosterEntry }
  | { readonly row: "roster"; readonly drop: AgentId }
  | { readonly row: "intent"; readonly put: Intent }
  | { readonly row: "intent"; readonly drop: AgentId }
  | { readonly row: "question"; readonly put: Question }
  | { readonly row: "cursor"; readonly put: Cursor }
  | { readonly row: "cursor"; readonly drop: AgentId }
  | { readonly row: "token"; readonly put: Token }
  | { readonly row: "token"; readonly drop: RunId }
  | { readonly row: "lane"; readonly put: LaneRow }
  | { readonly row: "lane"; readonly drop: LaneKey }
  | { readonly row: "effect"; readonly put: RecordedEffect }
  | { readonly row: "effect"; readonly settle: EffectId; readonly outcome: AnyOutcome; readonly at: Instant }
  | { readonly row: "setting"; readonly put: { readonly key: string; readonly value: string } };

/** What lets a request in. Only the digest is stored; the token itself is known to the process it was made for. */
export interface Token {
  readonly digest: string;
  readonly run: RunId;
  readonly agent: AgentId;
  readonly role: Role;
}

/** A lane's state is a mode's own; the journal keeps it as it is. */
export interface LaneRow {
  readonly lane: LaneKey;
  readonly version: number;
  readonly state: unknown;
}

/** An effect that was decided. Until it is settled it will be performed (again) after a crash. */
export interface RecordedEffect {
  readonly id: EffectId;
  readonly lane: LaneKey;
  readonly at: Instant;
  readonly effect: AnyEffect;
}
