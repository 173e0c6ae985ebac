import { Refusal } from "./refusal.ts";

/** A whole number from a query string: digits and nothing else (`Number` takes "", "0x10" and "1e3"). */
export function readNumber(text: string | undefined, name: string, usual: number, least: number, most: number): number {
  if (text === undefined) return usual;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Refusal(400, `${name} must be a whole number from ${least} to ${most}`, { field: name });
}

/** What is said twice has no meaning: one reader would take the first, another one the last. */
export function requireOnce(url: string): void {
  const start = url.indexOf("?");
  if (start < 0) return;
  const seen = new Set<string>();
  for (const name of new URLSearchParams(url.slice(start + 1)).keys()) {
    if (seen.has(name)) throw new Refusal(400, `${name.slice(0, 80)} is given twice`, { field: name.slice(0, 80) });
    seen.add(name);
  }
}
