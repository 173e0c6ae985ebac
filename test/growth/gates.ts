import { findUndone } from "../../src/core/gates/find-undone.ts";
import { changedParts, inputsAmong } from "../../src/core/gates/gate-inputs.ts";
import { measureTests } from "../../src/core/gates/measure-tests.ts";
import { readResults } from "../../src/core/gates/results/read-results.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated, type Shape } from "./shapes.ts";

const ROOT = "/home/me/app";

/** What says to a reader that the output is its own, and where a failure begins in it. */
const RUNNERS: Readonly<Record<string, readonly [begin: string, failure: string, end: string]>> = {
  tap: ["TAP version 13\n", "not ok 1 - works\n  ---\n  error: |-\n    x\n  ...\n", "# tests 1\n# pass 0\n# fail 1\n"],
  spec: ["✖ failing tests:\n", "✖ works (1.2ms)\n  AssertionError\n", "ℹ tests 1\nℹ pass 0\nℹ fail 1\n"],
  vitest: [
    " RUN  v4.1.12 /home/me/app\n",
    " FAIL  a.test.js > works\nAssertionError: x\n ❯ a.test.js:3:5\n",
    "      Tests  1 failed (1)\n",
  ],
  jest: ["FAIL a.test.js\n", "  ● works\n\n    at a.test.js:3:5\n", "Tests:       1 failed, 1 total\n"],
  mocha: ["  1 passing (3ms)\n  1 failing\n\n", "  1) works:\n     Error: x\n", "\n"],
  pytest: [
    "=== FAILURES ===\n",
    "____ test_x ____\nE   assert 1\na.py:3: AssertionError\nFAILED a.py::test_x - x\n",
    "1 failed in 0.01s\n",
  ],
  unittest: [
    "F\n",
    '======\nFAIL: test_x (a.T)\n------\nTraceback\n  File "a.py", line 3\n',
    "Ran 1 test in 0.001s\n\nFAILED (failures=1)\n",
  ],
  cargo: [
    "running 1 test\n",
    "---- tests::x stdout ----\npanicked at src/lib.rs:3:5:\n",
    "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
  ],
  go: ["=== RUN   TestX\n", "    --- FAIL: TestX (0.00s)\n        a_test.go:3: x\n", "FAIL\tx 0.01s\n"],
};

const shapesOf = (name: string, [begin, failure, end]: (typeof RUNNERS)[string]): [string, Shape][] => [
  [
    `${name}: failures, each another`,
    numbered((i) => failure.replaceAll(/\b(works|test_x|TestX|x)\b/g, `$1${i}`), begin, end),
  ],
  [`${name}: one failure that tells everything`, repeated("    told\n", begin + failure, end)],
];

const changes = (text: string) => text.split("\n").map((path) => ({ path, added: [path], removed: [path] }));

export const GATES: readonly Parser[] = [
  {
    name: "gate output: readResults",
    run: (text) => readResults(text, ROOT),
    shapes: Object.fromEntries(Object.entries(RUNNERS).flatMap(([name, words]) => shapesOf(name, words))),
  },
  {
    name: "test files: measureTests",
    run: measureTests,
    begins: ["it(", "test.each(", "\ndef test", "expect", "describe."],
    shapes: {
      tests: repeated('it("x", () => expect(1).toBe(1));\n'),
      "on one line": repeated('it("x", () => expect(1).toBe(1));'),
      modifiers: repeated(".skip", "it"),
      "chains of names": repeated("it."),
      "empty lines": repeated("\n"),
      "nearly closed": repeated("it(a", "", ")"),
      "spaces before a test": repeated("   ", "", "def test_x("),
      "words before def": repeated("async ", "", "def test_x("),
    },
  },
  {
    name: "gate inputs: package.json",
    run: (text) => [changedParts("package.json", text, "{}"), changedParts("package.json", "{}", text)],
    begins: ['{"scripts":', '{"scripts":{'],
    ends: ["}", "}}"],
    shapes: { "many scripts": numbered((i) => `"s${i}":"x",`, '{"scripts":{', '"z":"x"}}') },
  },
  {
    name: "gate inputs: Cargo.toml",
    run: (text) => [changedParts("Cargo.toml", text, ""), changedParts("pyproject.toml", "", text)],
    begins: ["[", "[dependencies"],
    shapes: { "many sections": numbered((i) => `[s${i}]\na = 1\n`), "one again and again": repeated("[s]\na = 1\n") },
  },
  {
    name: "gate inputs: inputsAmong",
    run: (text) => inputsAmong(text.split("\n"), ["**/package.json", ".github/**", "**/*.config.{js,ts}"]),
    shapes: { "many paths": numbered((i) => `a/b${i}/package.json\n`), "deep paths": repeated("a/") },
  },
  {
    name: "landed lines: findUndone",
    run: (text) => findUndone(changes(text), [{ branch: "feat/a", files: changes(text) }]),
    shapes: { "many files": numbered((i) => `src/file${i}\n`) },
  },
  {
    name: "landed lines: findUndone of one file",
    run: (text) => {
      const lines = text.split("\n");
      const file = { path: "a", added: lines, removed: lines };
      return findUndone([file], [{ branch: "feat/a", files: [file] }]);
    },
    shapes: { "many lines": numbered((i) => `line ${i}\n`) },
  },
];
