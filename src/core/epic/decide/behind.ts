import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { sentAt } from "../file/memory.ts";

/** A dispatch that was made from here. */
export interface Sent {
  readonly key: string;
  readonly item: string;
  /** When the epic says that it was sent; null where it does not say. */
  readonly at: Instant | null;
}

/** What is known here about one dispatch. */
export interface Known {
  /** What was sent by the same key. */
  readonly same: Sent | null;
  /** What was sent by the highest number. */
  readonly last: Sent | null;
}

/**
 * Why a dispatch is refused: an epic that was put back to an older state, or another one of the same id, would send its
 * items a second time. Null where it may go on. The number of an epic's rows only grows, and every key has it.
 */
export function whyBehind(epic: Epic, { item, key }: Omit<Sent, "at">, { same, last }: Known): string | null {
  if (same !== null && same.item !== item) return `${key} was sent before, for ${same.item}: ${REMEDY}`;
  if (same !== null && isOther(same.at, sentAt(epic, item)))
    return `${key} was sent before, by an epic that is called ${epic.id} as well or was: this one needs another id`;
  if (same !== null || last === null) return null;
  return rowsIn(key) <= rowsIn(last.key) || forgets(epic, last)
    ? `${last.item} was sent by ${last.key}, of which this file does not know: ${REMEDY}`
    : null;
}

const REMEDY = "it is older than that, or another epic has its id; bring the newer file back, or give it another id";

/** `<epic>/<epoch>/<seq>` */
export const rowsIn = (key: string): number => Number(key.slice(key.lastIndexOf("/") + 1));

const isOther = (one: Instant | null, other: Instant | null): boolean =>
  one !== null && other !== null && one !== other;

/** All its rows are there, and that dispatch is not among them. One that has dropped rows may have forgotten rightly. */
const forgets = ({ memory, seq }: Epic, { at }: Sent): boolean =>
  at !== null && memory.length >= seq && !memory.some((row) => row.at === at);
