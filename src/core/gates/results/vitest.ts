import { type FailedTest, failedTest, firstFailures, placeIn, type ResultsReader } from "./results.ts";

/** vitest's default and verbose reporters. */
export const readVitest: ResultsReader = (lines) => {
  const at = lines.findLastIndex((line) => /^\s*Tests {2}(no tests|\d)/.test(line));
  if (at < 0 || !lines.some((line) => /^\s*Test Files {2}/.test(line))) return null;
  const line = lines[at] ?? "";
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  const [failed, passed, skipped] = [count("failed"), count("passed"), count("skipped") + count("todo")];
  const total = Number(/\((\d+)\)\s*$/.exec(line)?.[1] ?? failed + passed + skipped);
  return {
    runner: "vitest",
    counts: { tests: total, passed, failed, skipped },
    failures: firstFailures(failuresIn(lines)),
  };
};

function failuresIn(lines: readonly string[]): FailedTest[] {
  const failures: FailedTest[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [, rest] = /^\s*FAIL {1,2}(.{1,600})$/.exec(lines[i] ?? "") ?? [];
    if (rest === undefined) continue;
    const [first = "", ...names] = rest.split(" > ");
    // A project's name may stand before the file.
    const file = first.trim().split(" ").at(-1) ?? "";
    const told: string[] = [];
    for (let j = i + 1; j < lines.length && told.length < 14 && !isNext(lines[j] ?? ""); j++) told.push(lines[j] ?? "");
    const place = told
      .filter((line) => line.includes("❯"))
      .map(placeIn)
      .find((each) => each?.file.endsWith(file) === true);
    const kept = told.filter((line) => !/^\s*(❯|[-+] (Expected|Received)$)/.test(line));
    failures.push(failedTest(names.join(" > ") || file, kept, place ?? { file }));
  }
  return failures;
}

const isNext = (line: string): boolean => /^\s*(FAIL {1,2}|⎯⎯|Test Files {2})/.test(line);
