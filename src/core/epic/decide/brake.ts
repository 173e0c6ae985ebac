import type { Instant } from "../../text/ids.ts";
import type { Epic, Item, RowClass } from "../file/epic.ts";
import { rowsOfEpoch, sentAt } from "../file/memory.ts";
import { isDispatchable, isOut, itemNamed, rootOf } from "./item-state.ts";
import type { Policy } from "./policy.ts";

/** What the brake counts, and why it fires; null while it does not. */
export interface Brake {
  readonly reason: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

/** The classes that are failures; the first of them wins where several recur. */
export const FAILURES: readonly RowClass[] = [
  "dispatch_halt",
  "verify_fail",
  "react_halt",
  "verdict_malformed",
  "act_failed",
];

export const REPEATED_REACT_HALT = "repeated react halt";

/** Whether the epic has to stop before anybody is asked anything. */
export function checkBrake(epic: Epic, now: Instant, policy: Policy): Brake {
  const recent = rowsOfEpoch(epic.memory).slice(-policy.window);
  const failures = FAILURES.map((name) => [name, recent.filter((row) => row.class === name).length] as const);
  const silent = epic.items.filter((item) => silence(epic, item, now) > policy.stalledMs);
  const reactHalts = haltsSince(epic);
  const [worst, worn] = mostTried(epic, policy);
  const [recurring] = failures.find(([, count]) => count >= policy.recurring) ?? [];
  const counts = { ...Object.fromEntries(failures), stalled: silent.length, reactHalts, attempts: worst };
  const longest = silent.reduce((most, item) => Math.max(most, silence(epic, item, now)), 0);
  if (recurring !== undefined) return { reason: `recurring: ${recurring}`, counts };
  if (silent.length >= policy.stalledWorkers) return { reason: "stalled workers", counts };
  if (policy.singleStallMs !== null && longest > policy.singleStallMs) return { reason: "stalled worker", counts };
  if (reactHalts >= policy.reactHalts) return { reason: REPEATED_REACT_HALT, counts };
  if (worst >= policy.attempts) return { reason: `attempts: ${worn}`, counts };
  return { reason: null, counts };
}

/**
 * How long a worker that is out has not been heard of; a reset counts as a sign of life. 0 where nothing is known: what lies
 * in the future was written by another clock, and says nothing.
 */
export function silence(epic: Epic, item: Item, now: Instant): number {
  if (!isOut(item)) return 0;
  const isPast = (at: Instant | null): at is Instant => at !== null && at <= now;
  const last = [item.lastActivity, sentAt(epic, item.id)].find(isPast);
  const reset = epic.memory.findLast((row) => row.class === "brake_reset" && isPast(row.at))?.at;
  return last === undefined ? 0 : now - Math.max(last, reset ?? last);
}

/** Over every epoch: each react halt ends in a reset, so counting within one would never reach two. */
function haltsSince({ memory }: Epic): number {
  const fired = memory.findLastIndex(
    (row) => row.class === "brake_fired" && `${row.decision} ${row.notes}`.includes(REPEATED_REACT_HALT),
  );
  return memory.slice(fired + 1).filter((row) => row.class === "react_halt").length;
}

/** The most tries at an item that wants another one. A try at a fix counts for what it fixes, too. */
function mostTried(epic: Epic, policy: Policy): readonly [number, string] {
  let most: readonly [number, string] = [0, ""];
  const count = (item: Item | null) => {
    if (item !== null && item.attempts > most[0]) most = [item.attempts, item.id];
  };
  for (const item of epic.items) {
    const failed = item.status === "in_progress" && item.pending?.for === "react";
    if (failed || isDispatchable(epic, item, policy)) count(item);
    if (failed) count(itemNamed(epic, rootOf(item.id)));
  }
  return most;
}
