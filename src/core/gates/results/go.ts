import { type FailedTest, failedTest, firstFailures, type ResultsReader } from "./results.ts";

const PACKAGE = /^(ok|FAIL|---|\?) {0,3}\t(\S+)/;
const TEST = /^( *)--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;

/** go test. Tests that pass are only printed with -v: without it, how many there were is not known. */
export const readGo: ResultsReader = (lines) => {
  if (!lines.some((line) => PACKAGE.test(line))) return null;
  const counted = { PASS: 0, FAIL: 0, SKIP: 0 };
  const failures: FailedTest[] = [];
  for (const [i, line] of lines.entries()) {
    const [, , outcome, name] = TEST.exec(line) ?? [];
    if (outcome === undefined || name === undefined) continue;
    counted[outcome as keyof typeof counted]++;
    if (outcome === "FAIL") failures.push(failureOf(name, lines, i + 1));
  }
  const verbose = lines.some((line) => /^=== RUN {3}/.test(line));
  // A test that has subtests fails with them: the innermost are told.
  const outer = new Set(failures.map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf("/")))));
  const innermost = failures.filter(({ name }) => !outer.has(name));
  const { PASS: passed, FAIL: failed, SKIP: skipped } = counted;
  return {
    runner: "go test",
    counts: verbose ? { tests: passed + failed + skipped, passed, failed, skipped } : null,
    failures: firstFailures([...innermost, ...unbuilt(lines)]),
  };
};

/** What it logged: below it with -v before it, and behind it without. */
function failureOf(name: string, lines: readonly string[], from: number): FailedTest {
  const told: string[] = [];
  for (let i = from; i < lines.length && told.length < 12 && /^\s+(?!---)\S/.test(lines[i] ?? ""); i++)
    told.push((lines[i] ?? "").trim());
  for (let i = from - 2; told.length === 0 && i >= 0 && i > from - 14; i--) {
    if (/^=== /.test(lines[i] ?? "")) break;
    if (/^\s+\S/.test(lines[i] ?? "")) told.unshift((lines[i] ?? "").trim());
  }
  const [, file, line] = told.map((each) => /^(\S{1,200}\.go):(\d+): /.exec(each)).find((each) => each) ?? [];
  return failedTest(name, told, file === undefined ? null : { file, line: Number(line) });
}

/** A package that does not build has no tests to name. */
function unbuilt(lines: readonly string[]): FailedTest[] {
  return lines.flatMap((line, i) => {
    const [, name] = /^FAIL\t(\S{1,300}) \[(?:build|setup) failed\]$/.exec(line) ?? [];
    if (name === undefined) return [];
    const errors = lines.slice(Math.max(0, i - 40), i).filter((each) => /^\S{1,200}\.go:\d+:\d+: /.test(each));
    const [, file, number] = /^(\S+?):(\d+):/.exec(errors[0] ?? "") ?? [];
    return [failedTest(`${name} does not build`, errors, file ? { file, line: Number(number) } : null)];
  });
}
