import { describe, expect, it } from "vitest";
import { type Finding, findingKey, isForPerson } from "../messages/finding.ts";
import type { Commit } from "../text/ids.ts";
import type { GateResult, Trouble } from "./gate-result.ts";
import type { Gate } from "./gates.ts";
import type { Inspection, TestFileChange } from "./inspection.ts";
import { type Evidence, judge } from "./judge.ts";
import type { FailedTest } from "./results/results.ts";

const result = (verdict: "pass" | "fail", over: Partial<GateResult> = {}): GateResult => ({
  gate: "test",
  verdict,
  seconds: 1,
  code: verdict === "pass" ? 0 : 1,
  trouble: null,
  counts: { tests: 5, passed: 5, failed: 0, skipped: 0 },
  failures: [],
  tail: [],
  changed: [],
  ...over,
});
const failure = (name: string, file?: string): FailedTest => ({
  name,
  ...(file !== undefined && { file, line: 7 }),
  lines: ["expected 1"],
});
const inspection = (over: Partial<Inspection> = {}): Inspection => ({
  base: "b" as Commit,
  since: "b" as Commit,
  commit: "c" as Commit,
  tree: "t",
  baseTree: "u",
  changes: [],
  more: 0,
  inputs: [],
  tests: [],
  undone: [],
  ...over,
});
const judged = (over: Partial<Evidence>) =>
  judge({
    results: [result("pass")],
    base: [result("pass")],
    inspection: inspection(),
    accepted: [],
    refused: [],
    ...over,
  });
const summary = ({ verdict, findings }: ReturnType<typeof judge>) => [
  verdict,
  findings.map(({ tag, kind, message, file, line }) => `[${tag}] ${kind} ${file ?? ""}:${line ?? ""} ${message}`),
];
const red = (over: Partial<GateResult> = {}) => result("fail", { counts: null, ...over });

describe("a branch is judged", () => {
  it("pass, where every gate passes", () => expect(summary(judged({}))).toEqual(["pass", []]));
  it("unknown, where nothing was run", () => expect(judged({ results: [] }).verdict).toBe("waiting"));

  it("fail with the test's name and place, where a test it brought fails", () => {
    const results = [red({ failures: [failure("adds", "test/a.js")] })];
    const changes = [{ path: "test/a.js", how: "added" as const }];
    expect(summary(judged({ results, inspection: inspection({ changes }) }))).toEqual([
      "fail",
      ["[testing] red test/a.js:7 adds fails"],
    ]);
  });

  it("regression, where a test fails that it did not touch and that passes on the base", () => {
    const results = [red({ failures: [failure("adds", "test/a.js")] })];
    expect(summary(judged({ results }))).toEqual(["fail", ["[regression] regression test/a.js:7 adds fails"]]);
  });

  it("by exit code and the end of the output, where nobody knows the runner", () => {
    const lint = red({ gate: "lint", tail: ["src/a.ts:1 no-any"] });
    expect(judged({ results: [lint], base: [result("pass", { gate: "lint" })] }).findings).toEqual([
      {
        tag: "testing",
        kind: "red",
        gate: "lint",
        message: "lint_command fails with exit code 1",
        lines: ["src/a.ts:1 no-any"],
      },
    ]);
  });

  it.each<readonly [Gate, string]>([
    ["spec_validate", "spec audit"],
    ["doc_build", "doc audit"],
    ["security_audit", "security audit"],
  ])("with the tag of its group: %s is [%s]", (gate, tag) => {
    expect(judged({ results: [red({ gate })], base: [result("pass", { gate })] }).findings[0]?.tag).toBe(tag);
  });

  it("fail, where a gate changes tracked files although it passes", () => {
    const results = [result("pass", { verdict: "fail", code: 0, changed: ["src/a.ts"] })];
    expect(summary(judged({ results }))).toEqual([
      "fail",
      ["[testing] red src/a.ts: test_command changes tracked files: what was tested is not what would land"],
    ]);
  });

  it.each<Trouble>(["timeout", "not-found", "memory", "disk", "set-up"])(
    "waiting, where %s happens on the base as well",
    (trouble) => {
      const troubled = red({ trouble, code: null });
      const both = judged({ results: [troubled], base: [troubled] });
      expect([both.verdict, both.findings[0]?.kind, both.because]).toEqual([
        "waiting",
        "environment",
        expect.stringMatching(/^test_command .*, on the base as well$/),
      ]);
      expect(judged({ results: [troubled], base: [] }).verdict).toBe("waiting");
      expect(judged({ results: [troubled] }).verdict).toBe("fail");
    },
  );

  it("waiting, where the base itself fails; its own failures are its own", () => {
    const base = [red({ failures: [failure("old")] })];
    expect(judged({ results: base, base }).because).toBe("the base itself fails: old");
    const results = [red({ failures: [failure("old"), failure("new")] })];
    expect(summary(judged({ results, base }))).toEqual(["fail", ["[testing] red : new fails"]]);
  });
});

const tests = (over: Partial<TestFileChange>): TestFileChange => ({
  path: "test/a.js",
  before: { tests: 3, assertions: 6, skips: 0, ends: 0 },
  after: { tests: 3, assertions: 6, skips: 0, ends: 0 },
  deleted: false,
  about: "1 → 2",
  ...over,
});

describe("what only a person may accept", () => {
  it.each<readonly [string, Partial<Inspection>, string]>([
    [
      "what its gates run",
      { inputs: [{ path: "package.json", parts: ["scripts.test"], about: "1 → 2" }] },
      "package.json the branch changes what its own gates run (scripts.test)",
    ],
    [
      "a test that is skipped",
      { tests: [tests({ after: { tests: 3, assertions: 6, skips: 2, ends: 0 } })] },
      "test/a.js the branch switches off 2 tests",
    ],
    [
      "a file of tests that is deleted",
      { tests: [tests({ after: { tests: 0, assertions: 0, skips: 0, ends: 0 }, deleted: true })] },
      "test/a.js the branch deletes 3 tests",
    ],
    [
      "a file without any assertion",
      { tests: [tests({ after: { tests: 3, assertions: 0, skips: 0, ends: 0 } })] },
      "test/a.js the branch leaves no assertion in this file of tests",
    ],
    [
      "fewer tests",
      { tests: [tests({ after: { tests: 2, assertions: 6, skips: 0, ends: 0 } })] },
      "test/a.js the branch removes 1 test",
    ],
    [
      "fewer assertions",
      { tests: [tests({ after: { tests: 3, assertions: 4, skips: 0, ends: 0 } })] },
      "test/a.js the branch removes 2 assertions",
    ],
    [
      "what others have landed",
      { undone: [{ path: "src/a.js", landed: "feat/b", lines: 4, about: "1 → 2" }] },
      "src/a.js the branch takes back 4 lines that feat/b has landed",
    ],
  ])("%s", (_, over, text) => {
    const { verdict, open } = judged({ inspection: inspection(over) });
    expect([verdict, open.map(({ file, message }) => `${file} ${message}`), open.every(isForPerson)]).toEqual([
      "waiting",
      [text],
      true,
    ]);
  });

  it("tests that moved to another file are no fewer", () => {
    const moved = [
      tests({ after: { tests: 0, assertions: 0, skips: 0, ends: 0 }, deleted: true }),
      tests({
        path: "test/b.js",
        before: { tests: 0, assertions: 0, skips: 0, ends: 0 },
        after: { tests: 4, assertions: 8, skips: 0, ends: 0 },
      }),
    ];
    expect(judged({ inspection: inspection({ tests: moved }) }).verdict).toBe("pass");
  });

  it("fewer tests run than on the base, whatever the files say", () => {
    const results = [result("pass", { counts: { tests: 5, passed: 4, failed: 0, skipped: 1 } })];
    expect(judged({ results }).open.map(({ message }) => message)).toEqual([
      "test_command runs 4 tests; the base runs 5",
    ]);
    expect(judged({ results: [result("pass", { counts: null })] }).open[0]?.message).toContain(
      "no longer says how many tests",
    );
    expect(judged({ results, inspection: null }).verdict).toBe("waiting");
  });

  it("counts no more once it is accepted, and is a failure once it is refused", () => {
    const over = { inspection: inspection({ inputs: [{ path: "Makefile", parts: ["Makefile"], about: "1 → 2" }] }) };
    const [finding] = judged(over).open as [Finding];
    expect(judged({ ...over, accepted: [findingKey(finding)] }).verdict).toBe("pass");
    expect(judged({ ...over, refused: [findingKey(finding)] }).verdict).toBe("fail");
  });

  it("is asked about again once the file is not the one that was accepted", () => {
    const changed = (about: string) => inspection({ inputs: [{ path: "Makefile", parts: ["Makefile"], about }] });
    const accepted = judged({ inspection: changed("1 → 2") }).open.map(findingKey);
    expect(judged({ inspection: changed("1 → 2"), accepted }).verdict).toBe("pass");
    expect(judged({ inspection: changed("1 → 3"), accepted }).verdict).toBe("waiting");
  });

  it("does not outweigh a failure", () => {
    const over = {
      inspection: inspection({ inputs: [{ path: "Makefile", parts: ["Makefile"], about: "1 → 2" }] }),
      results: [red()],
    };
    expect(judged(over).verdict).toBe("fail");
  });
});
