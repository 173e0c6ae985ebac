import type { Instant } from "../text/ids.ts";
import { later } from "../text/instant.ts";

/**
 * How much of the log is kept: the newest `messages`, and of those nothing older than `days`. What is settled, effects and
 * questions, is kept as long, but never more than SETTLED_KEPT of each.
 */
export interface Retention {
  readonly messages: number;
  readonly days: number;
}

/** What may be taken out of the log, oldest first: by seq up to `past`, by age up to `before`, never beyond `upTo`. */
export interface Compaction {
  readonly upTo: number;
  readonly past: number;
  readonly before: Instant;
}

export interface CompactionFacts {
  readonly head: number;
  /** Per reader of the roster with something unread: the seq of its first unread message. */
  readonly unread: readonly number[];
  readonly retention: Retention;
  readonly now: Instant;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Never past what somebody who takes part has still to read, however old that is. */
export function planCompaction({ head, unread, retention, now }: CompactionFacts): Compaction {
  return {
    upTo: Math.min(head, ...unread.map((seq) => seq - 1)),
    past: head - retention.messages,
    before: later(now, -retention.days * DAY_MS),
  };
}

/** How many of the oldest messages go, of those that a step looks at. Only a beginning of the log goes, so it has no holes. */
export function countCompacted(
  { upTo, past, before }: Compaction,
  oldest: readonly { readonly seq: number; readonly at: Instant }[],
): number {
  const stays = oldest.findIndex(({ seq, at }) => seq > upTo || (seq > past && at >= before));
  return stays === -1 ? oldest.length : stays;
}

/** Enough for everything that a session of 40 agents does in days; each is about a kilobyte. */
const SETTLED_KEPT = 10_000;

/** What is settled and may go: up to these numbers, or decided before that time. */
export interface Settled {
  readonly effect: number;
  readonly question: number;
  readonly before: Instant;
}

export interface SettledFacts {
  readonly lastEffect: number;
  readonly lastQuestion: number;
  readonly retention: Retention;
  readonly now: Instant;
}

/** What is open stays however old it is; so do the newest effect and question, because the numbers go on from them. */
export function planSettled({ lastEffect, lastQuestion, retention, now }: SettledFacts): Settled {
  const kept = Math.max(1, Math.min(retention.messages, SETTLED_KEPT));
  return {
    effect: lastEffect - kept,
    question: lastQuestion - kept,
    before: later(now, -retention.days * DAY_MS),
  };
}
