import type { Instant } from "../../text/ids.ts";
import { iso } from "../../text/instant.ts";

/** An instant of a file: ISO 8601 in UTC or with an offset, to the minute or finer; null where it is none. */
export function readStamp(text: string): Instant | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))$/.exec(
    text.trim(),
  );
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(found[i] ?? 0)) as Six;
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59)
    return null;
  const ms = Number((found[7] ?? "").padEnd(3, "0").slice(0, 3));
  const offset = (found[8] === "-" ? -1 : 1) * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  return (((daysSince(year, month, day) * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + ms) as Instant;
}

type Six = [number, number, number, number, number, number];

/** As files show it: without milliseconds where there are none. */
export const writeStamp = (instant: Instant): string => iso(instant).replace(".000Z", "Z");

const daysOf = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

/** Days from 1970-01-01, counted from 1 March of year 0 as in instant.ts. */
function daysSince(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}
