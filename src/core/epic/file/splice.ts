/** Text to stand where `start` to `end` was. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts splices into a text, those of one place in the order they were given. They do not overlap. */
export function splice(text: string, splices: readonly Splice[]): string {
  const sorted = splices.map((each, i) => ({ ...each, i })).sort((a, b) => a.start - b.start || a.i - b.i);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: put } of sorted) {
    parts.push(text.slice(at, start), put);
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)].join("");
}
