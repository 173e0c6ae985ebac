import { type FailedTest, failedTest, firstFailures, type ResultsReader } from "./results.ts";

/** Python's own unittest. */
export const readUnittest: ResultsReader = (lines) => {
  const ran = lines.findLast((line) => /^Ran \d+ tests? in [\d.]+s$/.test(line.trimEnd()));
  if (ran === undefined) return null;
  const end = lines.findLast((line) => /^(OK|FAILED)( \(.*\))?$/.test(line.trimEnd())) ?? "";
  const count = (word: string): number => Number(new RegExp(`\\b${word}=(\\d+)`).exec(end)?.[1] ?? 0);
  const tests = Number.parseInt(ran.slice(4), 10);
  const failed = count("failures") + count("errors") + count("unexpected successes");
  const skipped = count("skipped") + count("expected failures");
  return {
    runner: "unittest",
    counts: { tests, passed: Math.max(0, tests - failed - skipped), failed, skipped },
    failures: firstFailures(failuresIn(lines)),
  };
};

function failuresIn(lines: readonly string[]): FailedTest[] {
  const failures: FailedTest[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [, name] = /^(?:FAIL|ERROR): (.{1,300})$/.exec(lines[i] ?? "") ?? [];
    if (name === undefined) continue;
    const told: string[] = [];
    let place: { file: string; line: number } | null = null;
    for (let j = i + 1; j < lines.length && j < i + 60 && !/^={10,}$/.test(lines[j] ?? ""); j++) {
      const [, file, line] = /^ {2}File "([^"]{1,300})", line (\d+)/.exec(lines[j] ?? "") ?? [];
      if (file !== undefined) place = { file, line: Number(line) };
      if (/^\S.*(Error|Exception)\b/.test((lines[j] ?? "").slice(0, 300))) told.push(lines[j] ?? "");
    }
    failures.push(failedTest(name, told, place));
  }
  return failures;
}
