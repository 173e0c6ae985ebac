import type { Intent } from "../claims/intents.ts";
import type { Cursor } from "../messages/cursors.ts";
import type { Question } from "../messages/questions.ts";
import type { RosterEntry } from "../messages/roster.ts";
import type { AgentId } from "../text/ids.ts";
import type { LaneRow, RecordedEffect, Token } from "./changes.ts";

/**
 * What the supervisor keeps in memory of its journal: everything that is small and current. Messages stay in the
 * store; of closed questions and settled effects only the last number is needed.
 */
export interface JournalState {
  /** Made with the journal; another epoch tells clients that seq starts anew. */
  readonly epoch: string;
  readonly head: number;
  /** Messages up to here are no longer kept; 0 while all are. */
  readonly compacted: number;
  readonly lastQuestion: number;
  readonly lastEffect: number;
  readonly settings: readonly { readonly key: string; readonly value: string }[];
  readonly roster: readonly RosterEntry[];
  readonly intents: readonly Intent[];
  /** Open, or answered and not yet handed over. */
  readonly questions: readonly Question[];
  readonly cursors: readonly Cursor[];
  readonly tokens: readonly Token[];
  readonly lanes: readonly LaneRow[];
  readonly unsettled: readonly RecordedEffect[];
  /** Per agent the newest message that should wake it and has not reached it. */
  readonly waking: readonly { readonly agent: AgentId; readonly seq: number }[];
}
