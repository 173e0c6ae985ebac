import type { StoredMessage } from "../core/messages/messages.ts";
import type { Question } from "../core/messages/questions.ts";
import type { Change, RecordedEffect } from "../core/record/changes.ts";
import type { AnyOutcome } from "../core/record/effects.ts";
import type { JournalState } from "../core/record/journal-state.ts";
import type { Compaction, Settled } from "../core/record/retention.ts";
import type { AgentId, Instant } from "../core/text/ids.ts";

/**
 * The journal. Ordered, durable, queryable; nothing here that a SQL server with one writer per repository could not
 * serve. Calls never overtake each other: what was asked first is answered from the state it saw. Lists come in pages: at
 * most `limit`, and no more than PAGE_BYTES (core/record/page.ts), but at least one. Only an empty page is the end.
 */
export interface Store {
  /** Everything current. Contract: sees every commit that was acknowledged before the call. */
  load(): Promise<JournalState>;

  /**
   * Stores all changes or none, and resolves once they are on disk. Commits that arrive together may share one sync.
   * Rejects with `store.moved` when a message does not follow the head or a lane not its version, `store.full` when
   * the disk is, `store.broken` otherwise. After a rejection the caller's memory is stale: load again.
   */
  commit(changes: readonly Change[]): Promise<void>;

  /** What `reader` finds in its inbox after `after`: sent to it, or to everyone by others since it joined. By seq. */
  inbox(query: InboxQuery): Promise<StoredMessage[]>;

  /** How many of its messages are beyond each of the two cursors. */
  inboxCounts(readers: readonly CountQuery[]): Promise<InboxCount[]>;

  /** The whole message log after `after`, by seq. */
  log(after: number, limit: number): Promise<StoredMessage[]>;

  /** The message a sender published under an idempotency key. */
  byKey(sender: AgentId, key: string): Promise<StoredMessage | null>;

  /** A question, also one that is closed; null where there was none with this number. */
  question(number: number): Promise<Question | null>;

  /**
   * Takes out messages from the oldest on, as far as the plan lets them go and at most `limit`: a step is short, so that
   * commits wait for one and not for all of them. Resolves with the seq up to which nothing is kept. Contract: what is
   * left has no hole, the head and the epoch stay as they are even when nothing is left, and a key is forgotten with its
   * message.
   */
  compact(plan: Compaction, limit: number): Promise<number>;

  /**
   * Takes out settled effects and closed questions, oldest first, as far as the plan lets them go and at most `limit` of
   * each. Resolves with how many went. Contract: nothing open goes, nor the newest of each, whatever the plan says.
   */
  dropSettled(plan: Settled, limit: number): Promise<number>;

  /** Every effect that was decided after `after` and is still kept, with how it went: the trail of what banksman did. By id. */
  effects(after: number, limit: number): Promise<EffectRecord[]>;

  /**
   * Resolves when everything that was asked before is answered and the file is closed. Where most of the file is free, it
   * is made smaller: nobody waits for a commit any more.
   */
  close(): Promise<void>;
}

export interface InboxQuery {
  readonly reader: AgentId;
  readonly after: number;
  readonly joined: number;
  readonly limit: number;
}

export interface CountQuery {
  readonly reader: AgentId;
  readonly joined: number;
  readonly delivered: number;
  readonly acted: number;
}

export interface InboxCount {
  readonly reader: AgentId;
  readonly undelivered: number;
  readonly unacted: number;
}

export interface EffectRecord extends RecordedEffect {
  readonly settledAt: Instant | null;
  readonly outcome: AnyOutcome | null;
}
