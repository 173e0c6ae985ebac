import { type FailedTest, failedTest, firstFailures, placeIn, type ResultsReader } from "./results.ts";

/** mocha's spec reporter and its like. */
export const readMocha: ResultsReader = (lines) => {
  const count = (word: string): number | null => {
    const line = lines.findLast((each) => new RegExp(`^ {2}\\d+ ${word}( \\(|$)`).test(each.trimEnd()));
    return line === undefined ? null : Number.parseInt(line.trim(), 10);
  };
  const passed = count("passing");
  if (passed === null) return null;
  const [failed, skipped] = [count("failing") ?? 0, count("pending") ?? 0];
  const counts = { tests: passed + failed + skipped, passed, failed, skipped };
  return { runner: "mocha", counts, failures: firstFailures(failed === 0 ? [] : failuresIn(lines)) };
};

/** After the counts: `  1) suite`, the test's name deeper below it and ended by a colon, then the error. */
function failuresIn(lines: readonly string[]): FailedTest[] {
  const from = lines.findLastIndex((line) => /^ {2}\d+ failing/.test(line));
  const failures: FailedTest[] = [];
  for (let i = from + 1; i < lines.length; i++) {
    const [, first] = /^ {2}\d+\) (.{1,300})$/.exec(lines[i] ?? "") ?? [];
    if (first === undefined) continue;
    const names = [first];
    let at = i;
    while (!(lines[at] ?? ":").trimEnd().endsWith(":") && at < i + 8) names.push((lines[++at] ?? "").trim());
    const told: string[] = [];
    for (let j = at + 1; j < lines.length && told.length < 20 && !/^ {2}\d+\) /.test(lines[j] ?? ""); j++)
      told.push(lines[j] ?? "");
    const place = told.map(placeIn).find((each) => each !== null && !each.file.includes("node_modules"));
    failures.push(failedTest(names.join(" ").replace(/:$/, ""), told, place ?? null));
  }
  return failures;
}
