import { describe, expect, it } from "vitest";
import type { Instant } from "../text/ids.ts";
import { countCompacted, planCompaction, planSettled } from "./retention.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = (100 * DAY) as Instant;

/** How many of ten messages go, one a day up to now, with so many kept and unread. */
function goes(kept: { messages: number; days: number }, unread: readonly number[] = []): number {
  const plan = planCompaction({ head: 10, unread, retention: kept, now: NOW });
  const messages = Array.from({ length: 10 }, (_, i) => ({ seq: i + 1, at: (NOW - (9 - i) * DAY) as Instant }));
  return countCompacted(plan, messages);
}

describe("of ten messages, one a day", () => {
  it.each([
    ["all stay that are among the newest and young enough", { messages: 10, days: 10 }, [], 0],
    ["those beyond the count go", { messages: 4, days: 10 }, [], 6],
    ["those that are too old go", { messages: 10, days: 3 }, [], 6],
    ["the stricter of the two counts", { messages: 7, days: 1 }, [], 8],
    ["none goes that somebody has still to read", { messages: 1, days: 1 }, [3, 8], 2],
    ["nor what comes after it", { messages: 1, days: 1 }, [1], 0],
  ])("%s", (_, kept, unread, expected) => expect(goes(kept, unread)).toBe(expected));
});

it("lets a young message keep older ones beside it only by coming before them: the log has no holes", () => {
  const plan = planCompaction({ head: 3, unread: [], retention: { messages: 9, days: 1 }, now: NOW });
  const at = (daysAgo: number) => (NOW - daysAgo * DAY) as Instant;
  const clockWentBack = [
    { seq: 1, at: at(5) },
    { seq: 2, at: at(0) },
    { seq: 3, at: at(5) },
  ];
  expect(countCompacted(plan, clockWentBack)).toBe(1);
});

describe("what is settled", () => {
  const plan = (messages: number) =>
    planSettled({ lastEffect: 30_000, lastQuestion: 7, retention: { messages, days: 2 }, now: NOW });

  it("is kept as long as messages are, but never more than 10,000 of each", () => {
    expect(plan(1_000_000)).toEqual({ effect: 20_000, question: -9_993, before: NOW - 2 * DAY });
    expect(plan(5)).toMatchObject({ effect: 29_995, question: 2 });
  });

  it("never goes whole: numbers go on from the newest", () =>
    expect(plan(0)).toMatchObject({ effect: 29_999, question: 6 }));
});
