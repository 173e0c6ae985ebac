import type { Instant } from "../../text/ids.ts";
import type { MemoryRow } from "./epic.ts";

/** When a new row happens: now, or just after the last one where a clock goes back. The order of rows is that of ticks. */
export function stamped(memory: readonly MemoryRow[], now: Instant): Instant {
  const last = memory.reduce((most, { at }) => Math.max(most, at ?? most), Number.NEGATIVE_INFINITY);
  return (last >= now ? last + 1 : now) as Instant;
}

/** When an item was last dispatched, as far as the rows that are kept say. Asked for every item: made once per memory. */
export function sentAt({ memory }: { readonly memory: readonly MemoryRow[] }, item: string): Instant | null {
  const known = SENT.get(memory) ?? new Map(memory.flatMap(dispatchIn));
  SENT.set(memory, known);
  return known.get(item) ?? null;
}

const dispatchIn = (row: MemoryRow): (readonly [string, Instant | null])[] => {
  const [, item] = (row.class === "dispatch_ok" && /^dispatch (\S+) to /.exec(row.decision)) || [];
  return item === undefined ? [] : [[item, row.at]];
};

const SENT = new WeakMap<readonly MemoryRow[], ReadonlyMap<string, Instant | null>>();

/** The rows since a person last let the epic go on. */
export const rowsOfEpoch = (memory: readonly MemoryRow[]): readonly MemoryRow[] =>
  memory.slice(memory.findLastIndex((row) => row.class === "brake_reset") + 1);
