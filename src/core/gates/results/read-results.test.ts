import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readResults } from "./read-results.ts";

const output = (name: string): string =>
  readFileSync(new URL(`../../../../test/gates/outputs/${name}.txt`, import.meta.url), "utf8");

/** What each runner really printed (test/gates/outputs), and what it means: tests, passed, failed, skipped; who failed where. */
const CASES: readonly [file: string, runner: string, counts: readonly number[] | null, failed: readonly string[]][] = [
  ["node-tap", "node:test", [6, 2, 2, 2], ["adds wrongly @ node/sum.test.js:3", "are odd @ node/sum.test.js:6"]],
  ["node-tap-load", "node:test", [1, 0, 1, 0], ["test/a.test.mjs @ test/a.test.mjs:1"]],
  ["node-tap-pass", "node:test", [3, 1, 0, 2], []],
  ["node-spec", "node:test", [6, 2, 2, 2], ["adds wrongly @ sum.test.js:3", "are odd @ sum.test.js:6"]],
  ["vitest", "vitest", [6, 2, 2, 2], ["adds wrongly @ sum.test.mjs:3", "numbers > are odd @ sum.test.mjs:6"]],
  ["vitest-verbose", "vitest", [6, 2, 2, 2], ["adds wrongly @ sum.test.mjs:3", "numbers > are odd @ sum.test.mjs:6"]],
  ["vitest-pass", "vitest", [1, 1, 0, 0], []],
  ["jest", "jest", [5, 1, 2, 2], ["adds wrongly @ sum.test.js:2", "numbers › are odd @ sum.test.js:5"]],
  ["mocha", "mocha", [4, 1, 2, 1], ["sums adds wrongly @ m/sum.js:2", "sums deep are odd @ m/sum.js:2"]],
  [
    "pytest",
    "pytest",
    [7, 2, 4, 1],
    [
      "test_adds_wrongly @ test_sum.py:6",
      "test_odd[2] @ test_sum.py:12",
      "TestThings::test_in_class @ test_sum.py:15",
      "test_with_bad @ test_sum.py:18",
    ],
  ],
  [
    "pytest-q",
    "pytest",
    [7, 2, 4, 1],
    [
      "test_adds_wrongly @ test_sum.py:6",
      "test_odd[2] @ test_sum.py:12",
      "TestThings::test_in_class @ test_sum.py:15",
      "test_with_bad @ test_sum.py:18",
    ],
  ],
  ["unittest", "unittest", [3, 1, 1, 1], ["test_adds_wrongly (__main__.T.test_adds_wrongly) @ py/ut.py:4"]],
  ["cargo", "cargo test", [5, 2, 2, 1], ["tests::adds_wrongly @ src/lib.rs:8", "tests::odd @ src/lib.rs:10"]],
  ["go", "go test", null, ["TestAddsWrongly @ sum_test.go:4", "TestNumbers/odd @ sum_test.go:6"]],
  ["go-v", "go test", [6, 2, 3, 1], ["TestAddsWrongly @ sum_test.go:4", "TestNumbers/odd @ sum_test.go:6"]],
  ["go-build", "go test", null, ["example.com/sums/sub does not build @ sub/sub_test.go:3"]],
];

describe("what test runners print", () => {
  it.each(CASES)("%s", (file, runner, counts, failed) => {
    const found = readResults(output(file), "/home/me/app");
    const { tests, passed, failed: red, skipped } = found?.counts ?? {};
    expect([
      found?.runner,
      found?.counts ? [tests, passed, red, skipped] : null,
      found?.failures.map(({ name, file: place, line }) => `${name} @ ${place}:${line}`),
    ]).toEqual([runner, counts, failed]);
  });

  it("keeps a few lines of each failure, without the folder it ran in", () => {
    const [first] = readResults(output("pytest"), "/home/me/app")?.failures ?? [];
    expect(first?.lines).toEqual(["assert 2 == 3"]);
    const [tap] = readResults(output("node-tap"), "/home/me/app")?.failures ?? [];
    expect(tap?.lines.map((line) => line.trim())).toEqual(["'2 == 3'", "expected: 3", "actual: 2", "operator: '=='"]);
    expect(JSON.stringify(readResults(output("mocha"), "/home/me/app"))).not.toContain("/home/me/app");
  });

  it.each([
    ["nothing", ""],
    ["a linter", "src/a.ts:1:1 error  Unexpected any\n\n✖ 1 problem\n"],
    ["a dot reporter", output("node-dot")],
    ["a word that looks like a summary", "12 passed the exam in 3s of time\nTests are fine\n"],
  ])("%s is not taken for a runner", (_, text) => {
    expect(readResults(text, "/")).toBe(null);
  });

  it("of a file that cannot be loaded keeps what it printed, without the stack", () => {
    const [failure] = readResults(output("node-tap-load"), "/home/me/app")?.failures ?? [];
    expect(failure?.name).toBe("test/a.test.mjs");
    expect(failure?.lines.join("\n")).toContain("SyntaxError: The requested module '../src/a.mjs' does not provide");
    expect(failure?.lines.join("\n")).not.toMatch(/ at |Node\.js/);
  });
  it("of a pytest that found nothing says that there were no tests", () => {
    expect(readResults(output("pytest-none"), "/")?.counts).toMatchObject({ tests: 0, passed: 0 });
  });
});
