import type { Instant } from "../ids.ts";
import type { MemoryRow } from "./epic.ts";

/** When a new row happens: now, or just after the last one where a clock goes back. The order of rows is that of ticks. */
export function stamped(memory: readonly MemoryRow[], now: Instant): Instant {
  const last = memory.reduce((most, { at }) => Math.max(most, at ?? most), Number.NEGATIVE_INFINITY);
  return (last >= now ? last + 1 : now) as Instant;
}

/** The rows since a person last let the epic go on. */
export const rowsOfEpoch = (memory: readonly MemoryRow[]): readonly MemoryRow[] =>
  memory.slice(memory.findLastIndex((row) => row.class === "brake_reset") + 1);
