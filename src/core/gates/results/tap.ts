import { type FailedTest, failedTest, firstFailures, type ResultsReader } from "./results.ts";

/** node:test, in TAP and in its own words for people, and whatever else prints TAP. */
export const readTap: ResultsReader = (lines) => {
  const isTap = lines.some((line) => /^TAP version \d+/.test(line));
  const sums = new Map<string, number>();
  for (const line of lines) {
    const [, name, count] = /^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line.trimEnd()) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(count));
  }
  const counted = sums.has("tests") && sums.has("pass");
  if (!isTap && !counted) return null;
  const found = pointsOf(lines);
  const failed = counted ? (sums.get("fail") ?? 0) + (sums.get("cancelled") ?? 0) : found.failed;
  const skipped = counted ? (sums.get("skipped") ?? 0) + (sums.get("todo") ?? 0) : found.skipped;
  const tests = counted ? (sums.get("tests") ?? 0) : found.points;
  if (tests === 0 && !counted) return null;
  return {
    runner: counted ? "node:test" : "tap",
    counts: { tests, passed: counted ? (sums.get("pass") ?? 0) : tests - failed - skipped, failed, skipped },
    failures: firstFailures(isTap ? found.failures : inWords(lines)),
  };
};

interface Points {
  readonly points: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly FailedTest[];
}

/** Test points. A suite is a point, too, which fails with its tests: only the innermost ones are told. */
function pointsOf(lines: readonly string[]): Points {
  const failures: FailedTest[] = [];
  let [points, failed, skipped] = [0, 0, 0];
  let printed: string[] = [];
  for (const [i, line] of lines.entries()) {
    if (line.startsWith("# ") && !line.startsWith("# Subtest: ")) printed.push(line.slice(2));
    const point = /^( *)(not )?ok\b(?: \d+)?(?: - | )?(.*)$/.exec(line.slice(0, 2_000));
    if (point === null) continue;
    const [, indent = "", not, rest = ""] = point;
    if (indent === "") points++;
    const [name = "", directive] = rest.split(/ # (?=skip|todo)/i);
    if (directive !== undefined && indent === "") skipped++;
    else if (not !== undefined && directive === undefined) {
      if (indent === "") failed++;
      const told = yamlAfter(lines, i + 1);
      if (!told.some((each) => /failureType: '?subtestsFailed/.test(each)))
        failures.push(failureOf(name, told, printed));
    }
    if (indent === "") printed = [];
  }
  return { points, failed, skipped, failures };
}

function yamlAfter(lines: readonly string[], from: number): string[] {
  if (!/^ *---$/.test(lines[from] ?? "")) return [];
  const told: string[] = [];
  for (let i = from + 1; i < lines.length && told.length < 60 && !/^ *\.\.\.$/.test(lines[i] ?? ""); i++)
    told.push(lines[i] ?? "");
  return told;
}

/** A file that cannot be loaded has no test of its own to say so: what it printed says why. */
const SAYS_NOTHING = "'test failed'";

const isStack = (line: string): boolean => /^\s+at |^Node\.js v/.test(line);

function failureOf(name: string, told: readonly string[], printed: readonly string[]): FailedTest {
  const location = told.map((line) => /^\s*location: '?([^']+?):(\d+):\d+'?$/.exec(line)).find((each) => each !== null);
  const error = told.findIndex((line) => /^\s*error: /.test(line));
  const stack = told.findIndex((line) => /^\s*stack: /.test(line));
  const kept = told
    .slice(error < 0 ? told.length : error, stack < error ? undefined : stack)
    .filter((line) => !/^\s*(code|name):/.test(line));
  const texts = kept.map((line) => line.replace(/^\s*error: (\|-)?/, ""));
  const empty = texts.every((text) => text.trim() === SAYS_NOTHING || /^\s*(exitCode|signal): /.test(text));
  const place = location ? { file: location[1] ?? "", line: Number(location[2]) } : null;
  return failedTest(name, empty ? printed.filter((line) => !isStack(line)) : texts, place);
}

/** node's reporter for people lists failing tests once more at its end: `test at file:line:column`, then `✖ name`. */
function inWords(lines: readonly string[]): FailedTest[] {
  const failures: FailedTest[] = [];
  const from = lines.findIndex((line) => /^✖ failing tests:/.test(line.trim()));
  for (let i = from < 0 ? lines.length : from + 1; i < lines.length; i++) {
    const [, file, line] = /^test at (.{1,500}):(\d+):\d+$/.exec((lines[i] ?? "").trim()) ?? [];
    const [, name] = /^✖ (.*?)(?: \([\d.]+ms\))?$/.exec((lines[i + 1] ?? "").trim()) ?? [];
    if (file === undefined || name === undefined) continue;
    const told: string[] = [];
    for (let j = i + 2; j < lines.length && told.length < 8 && !/^test at /.test(lines[j] ?? ""); j++)
      told.push((lines[j] ?? "").trim());
    failures.push(failedTest(name, told, { file, line: Number(line) }));
  }
  return failures;
}
