import { type FailedTest, failedTest, firstFailures, placeIn, type ResultsReader } from "./results.ts";

/** jest's default reporter. */
export const readJest: ResultsReader = (lines) => {
  const line = lines.findLast((each) => /^Tests: {2,}/.test(each));
  if (line === undefined) return null;
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  const counts = {
    tests: count("total"),
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped") + count("todo"),
  };
  return { runner: "jest", counts, failures: firstFailures(failuresIn(lines)) };
};

/** Listed below the file and, where there are many files, once more in a summary: each name counts once. */
function failuresIn(lines: readonly string[]): FailedTest[] {
  const failures = new Map<string, FailedTest>();
  let file: string | null = null;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    file = /^FAIL (\S{1,400})/.exec(line)?.[1] ?? file;
    const [, name] = /^ {2}● (.{1,400})$/.exec(line) ?? [];
    if (name === undefined || failures.has(name)) continue;
    const told: string[] = [];
    for (let j = i + 1; j < lines.length && told.length < 24 && !/^( {2}● |FAIL |PASS )/.test(lines[j] ?? ""); j++)
      told.push(lines[j] ?? "");
    const place = told.map(placeIn).find((each) => each !== null && !each.file.includes("node_modules"));
    failures.set(name, failedTest(name, told, place ?? (file === null ? null : { file })));
  }
  return [...failures.values()];
}
