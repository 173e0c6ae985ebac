import { type FailedTest, failedTest, firstFailures, type ResultsReader } from "./results.ts";

const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; /;

/** cargo test: one result for each program it made of the tests, added up. */
export const readCargo: ResultsReader = (lines) => {
  let [passed, failed, skipped, seen] = [0, 0, 0, false];
  for (const line of lines) {
    const found = RESULT.exec(line);
    if (found === null) continue;
    seen = true;
    passed += Number(found[1]);
    failed += Number(found[2]);
    skipped += Number(found[3]);
  }
  if (!seen) return null;
  const counts = { tests: passed + failed + skipped, passed, failed, skipped };
  return { runner: "cargo test", counts, failures: firstFailures(failed === 0 ? [] : failuresIn(lines)) };
};

/** `---- name stdout ----`, then what it printed, with where it panicked. */
function failuresIn(lines: readonly string[]): FailedTest[] {
  const failures: FailedTest[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [, name] = /^---- (.{1,300}) stdout ----$/.exec(lines[i] ?? "") ?? [];
    if (name === undefined) continue;
    const told: string[] = [];
    for (let j = i + 1; j < lines.length && told.length < 14 && !/^(---- |failures:$)/.test(lines[j] ?? ""); j++)
      told.push(lines[j] ?? "");
    const [, file, line] =
      told.map((each) => /panicked at (\S{1,300}?):(\d+):\d+/.exec(each)).find((each) => each) ?? [];
    const kept = told.filter((each) => !/^note: |^stack backtrace:/.test(each));
    failures.push(failedTest(name, kept, file === undefined ? null : { file, line: Number(line) }));
  }
  return failures;
}
