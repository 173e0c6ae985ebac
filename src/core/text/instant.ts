import type { Instant } from "./ids.ts";

/** ISO 8601, UTC, milliseconds. Written out because core has no Date: an instant enters as a fact and leaves as text. */
export function iso(instant: Instant): string {
  const day = Math.floor(instant / 86_400_000);
  const ms = instant - day * 86_400_000;
  const [year, month, date] = civil(day);
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) => pad(Math.floor(part), 2)).join(":");
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}T${time}.${pad(Math.floor(ms % 1000), 3)}Z`;
}

export const seconds = (count: number): number => count * 1000;

export const later = (instant: Instant, ms: number): Instant => (instant + ms) as Instant;

/** Days since 1970-01-01 to year, month, date: counted from 1 March of year 0, when leap days come last. */
function civil(day: number): [number, number, number] {
  const z = day + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1];
}

const pad = (value: number, width: number) => String(value).padStart(width, "0");
