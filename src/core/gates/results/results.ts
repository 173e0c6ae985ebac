/** How many tests there were, and what became of them. */
export interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface FailedTest {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** What was printed about it: a few lines. */
  readonly lines: readonly string[];
}

/** What a test runner printed, as far as it is understood. */
export interface Results {
  readonly runner: string;
  /** Null where the runner does not say. */
  readonly counts: Counts | null;
  readonly failures: readonly FailedTest[];
}

/** Reads what one runner prints; null where these lines are not its own. Each line is looked at a fixed number of times. */
export type ResultsReader = (lines: readonly string[]) => Results | null;

const MOST_FAILURES = 50;
const MOST_LINES = 12;
const LONGEST_NAME = 300;
const LONGEST_LINE = 300;

/** Bounded: a name or a text comes from a program that the branch itself can change. */
export function failedTest(
  name: string,
  lines: readonly string[],
  place: { readonly file: string; readonly line?: number } | null = null,
): FailedTest {
  const kept = lines.filter((line) => line.trim() !== "").slice(0, MOST_LINES);
  return {
    name: name.trim().slice(0, LONGEST_NAME),
    ...(place !== null && { file: place.file.slice(0, LONGEST_NAME) }),
    ...(place?.line !== undefined && { line: place.line }),
    lines: kept.map((line) => line.slice(0, LONGEST_LINE)),
  };
}

export const firstFailures = (failures: readonly FailedTest[]): readonly FailedTest[] =>
  failures.slice(0, MOST_FAILURES);

/** `src/a.ts:12:5` somewhere in a line; null where there is none. Folders above the checkout are cut off by the caller. */
export function placeIn(line: string): { readonly file: string; readonly line: number } | null {
  const found = /(?:^|[\s('"❯])((?:\.{0,2}\/)?[\w@.+-][\w@.+/-]{0,250}\.[A-Za-z]{1,5}):(\d{1,7})\b/.exec(
    line.slice(0, 2_000),
  );
  return found === null ? null : { file: (found[1] ?? "").replace(/^\.\//, ""), line: Number(found[2]) };
}
