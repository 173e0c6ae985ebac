import { describe, expect, it } from "vitest";
import { readFrontmatter } from "../text/frontmatter.ts";
import { readMarkdownSpecs } from "./markdown.ts";
import { ownedFiles, readOpenSpec } from "./openspec.ts";
import { readOutline } from "./outline.ts";
import { pickSpecs } from "./pick.ts";
import type { Spec, Specs } from "./spec.ts";
import { readSpecKit } from "./speckit.ts";
import { readSuperpowers } from "./superpowers.ts";

const files = (tree: Record<string, string>) => new Map(Object.entries(tree));
const shape = ({ entries }: Specs) => entries.map(({ id, branch, cli }) => [id, branch, cli]);

describe("openspec", () => {
  const tree = files({
    "add-login/tasks.md":
      "---\npaw_cli: codex\n---\n- [ ] 1.1 Form\n\nFiles owned:\n- `src/login.ts`\n- src/form.ts\n\nMore.",
    "add-login/specs/auth/spec.md": "The user SHALL log in.",
    "fix-typo/tasks.md": "- [ ] 1 Typo",
    "no-tasks/proposal.md": "x",
    "archive/old/tasks.md": "- [x] done",
    "README.md": "not a change",
  });
  it("has one piece of work per change, in order, with its specs and what it owns; the archive is done with", () => {
    const { entries, warnings, leftOut } = readOpenSpec(tree, "spec/");
    expect(shape({ entries, warnings, leftOut })).toEqual([
      ["add-login", "spec/add-login", "codex"],
      ["fix-typo", "spec/fix-typo", null],
    ]);
    expect(entries[0]?.prompt).toMatch(
      /^# add-login\n\n- \[ \] 1\.1 Form[\s\S]*## Spec: auth\n\nThe user SHALL log in\.$/,
    );
    expect(entries[0]?.owned).toEqual(["src/login.ts", "src/form.ts"]);
    expect(warnings).toEqual(["no-tasks has no tasks.md and was left out"]);
  });
  it("takes what a change owns from its proposal too", () => {
    const owns = files({
      "a/tasks.md": "- [ ] 1 x\n\nFiles owned: src/a.ts",
      "a/proposal.md": "# Why\n\nOwned files:\n- src/b.ts\n- src/a.ts\n",
    });
    expect(readOpenSpec(owns, "spec/").entries[0]?.owned).toEqual(["src/a.ts", "src/b.ts"]);
  });
  it("leaves out a change with every box ticked, and says so; one without boxes is open", () => {
    const ticked = files({
      "a/tasks.md": "- [x] 1 x\n- [X] 2 y",
      "b/tasks.md": "Do b.",
      "c/tasks.md": "- [x] 1\n- [ ] 2",
    });
    const { entries, warnings } = readOpenSpec(ticked, "spec/");
    expect([entries.map(({ id }) => id), warnings]).toEqual([["b", "c"], ["a has every box ticked and was left out"]]);
  });
  it.each([
    ["Files owned: a.ts, `b/c.ts`", ["a.ts", "b/c.ts"]],
    ["**Owned files:**\n\n* x\n* y\nthen text\n* z", ["x", "y"]],
    ["nothing", []],
  ])("%j owns %j", (text, owned) => expect(ownedFiles(text)).toEqual(owned));
});

describe("markdown", () => {
  it("takes what is pending, with real YAML", () => {
    const tree = files({
      "a.md": '---\npaw_status: "pending" # quoted\nbranch: feat/a\ncli: claude\n---\nDo a.',
      "b.md": "---\nbanksman: pending\n---\nDo b.",
      "c.md": "---\npaw_status: done\n---\nDid c.",
      "d.md": "No frontmatter: pending",
      "e.md": "---\npaw_status: [pending\n---\nBroken.",
      "sub/f.md": "---\nbanksman: pending\n---\nNot flat.",
    });
    const specs = readMarkdownSpecs(tree, "spec/");
    expect(shape(specs)).toEqual([
      ["a", "feat/a", "claude"],
      ["b", "spec/b", null],
    ]);
    expect(specs.warnings).toEqual([
      "d.md was left out: its frontmatter does not say `banksman: pending`",
      expect.stringMatching(/^e\.md: /),
    ]);
  });
  it("has no two specs on one branch, and says which was left out", () => {
    const text = "---\nbanksman: pending\nbranch: feat/a\n---\nx";
    expect(readMarkdownSpecs(files({ "a.md": text, "b.md": text }), "spec/")).toMatchObject({
      entries: [{ id: "a" }],
      warnings: ["b.md was left out: a.md has the branch feat/a already"],
    });
  });
  it("frontmatter is only at the top, and only between its lines", () => {
    expect(readFrontmatter("text\n---\na: b\n---\n").fields).toEqual({});
    expect(readFrontmatter("---\r\na: b\r\n---\r\nbody")).toEqual({ fields: { a: "b" }, body: "body", problem: null });
  });
});

describe("speckit", () => {
  const tasks = `# Tasks
- [x] T000 Bootstrap

## Phase 1: Setup
- [x] T001 Create the project
- [X] T002 [P] Configure linting

## Phase 2 — Core Features
- [ ] T003 [P] Parser in src/parse.ts
- [ ] T004 Wire it up
- [ ] T005 [P] Printer in src/print.ts
- [x] T006 [P] Done already
- [ ] T007 Document it

\`\`\`
- [ ] T999 not a task
\`\`\`

## Phase 3: Polish
- [ ] T008 Later
`;
  it("splits the lowest open phase: each [P] task alone, the rest together", () => {
    const specs = readSpecKit(
      files({ "001-reader/tasks.md": tasks, "001-reader/spec.md": "What and why." }),
      ".specify/specs",
    );
    expect(shape(specs)).toEqual([
      ["001-reader-T003", "task/t003-parser-in-src-parse-ts", null],
      ["001-reader-T005", "task/t005-printer-in-src-print-ts", null],
      ["001-reader-phase-2", "phase/001-reader-core-features", null],
    ]);
    expect(specs.entries[0]?.prompt).toContain("What and why.");
    expect(specs.entries[2]?.prompt).toMatch(/- \[ \] T004 Wire it up\n- \[ \] T007 Document it/);
    expect(specs.entries[2]?.prompt).not.toContain("T999");
    expect(specs.entries[0]?.prompt).toContain("Tick each box in .specify/specs/001-reader/tasks.md in");
  });
  it("has a branch for each task, where two features have the same one too, whichever of them is ticked", () => {
    const both = (a: string, b: string) =>
      shape(
        readSpecKit(
          files({
            "001-auth/tasks.md": `## Phase 1: Go\n- [${a}] T001 [P] Write tests\n- [ ] T002 [P] Only here\n`,
            "002-mail/tasks.md": `## Phase 1: Go\n- [${b}] T001 [P] Write tests\n`,
          }),
          "specs",
        ),
      ).map(([, branch]) => branch);
    const [auth, mail, only] = [
      "task/001-auth-t001-write-tests",
      "task/002-mail-t001-write-tests",
      "task/t002-only-here",
    ];
    expect(both(" ", " ")).toEqual([auth, only, mail]);
    expect(both("x", " ")).toEqual([only, mail]);
    expect(both(" ", "x")).toEqual([auth, only]);
  });
  it("has a branch for each of two equal tasks", () => {
    const twice = readSpecKit(files({ "1/tasks.md": "- [ ] T001 [P] a\n- [ ] T001 [P] a\n" }), "specs");
    expect(shape(twice).map(([, branch]) => branch)).toEqual(["task/1-t001-a", "task/1-t001-a-2"]);
  });
  it("says of a feature without tasks that it was left out; other folders are none", () => {
    const tree = files({ "001-a/spec.md": "x", "pictures/readme.md": "y", "notes.md": "z" });
    expect(readSpecKit(tree, "specs")).toEqual({
      entries: [],
      warnings: ["001-a has no tasks.md and was left out"],
      leftOut: new Map([["001-a", "has no tasks.md"]]),
    });
  });
  it("has nothing of a feature that is finished, and takes tasks before any phase first", () => {
    expect(shape(readSpecKit(files({ "002-x/tasks.md": "- [x] T001 a" }), "specs"))).toEqual([]);
    expect(
      shape(readSpecKit(files({ "002-x/tasks.md": "- [ ] T001 a\n\n## Phase 1: b\n- [ ] T002 c" }), "specs")),
    ).toEqual([["002-x-phase-0", "phase/002-x-setup", null]]);
  });
});

it("superpowers: plans with an open box in a task", () => {
  const tree = files({
    "2026-01-01-cache.md": "# Plan\n**Goal:** x\n\n### Task 1: Cache\n- [ ] Step\n",
    "done.md": "### Task 1\n- [x] Step\n",
    "notes.md": "- [ ] a box before any task\n",
  });
  expect(shape(readSuperpowers(tree))).toEqual([["2026-01-01-cache", "plan/2026-01-01-cache", null]]);
});

it("an outline sees headings and boxes, nested ones too, and no code", () => {
  expect(
    readOutline("# A #\n- [ ] one\n  - [x] two\n\n1. [ ] three\n\n    - [ ] code\n").map(({ kind, text }) => [
      kind,
      text,
    ]),
  ).toEqual([
    ["heading", "A"],
    ["task", "one"],
    ["task", "two"],
    ["task", "three"],
    ["task", "code"],
  ]);
});

describe("names", () => {
  const spec = (id: string, feature = id) => ({ id, feature }) as Spec;
  const all = [
    spec("001-auth-T1", "001-auth"),
    spec("001-auth-phase-1", "001-auth"),
    spec("0012-mail"),
    spec("login"),
    spec("login-form"),
  ];
  const pick = (...names: string[]) => {
    const found = pickSpecs({ entries: all, leftOut: new Map([["ticked", "has every box ticked"]]) }, names);
    return "kind" in found ? found.kind : found.map(({ id }) => id);
  };
  it.each([
    [["login"], ["login"]],
    [["001"], ["001-auth-T1", "001-auth-phase-1"]],
    [["0012"], ["0012-mail"]],
    [
      ["001-auth-T1", "001"],
      ["001-auth-T1", "001-auth-phase-1"],
    ],
    [
      ["login-form", "login"],
      ["login-form", "login"],
    ],
    [["login-"], ["login-form"]],
    [["log"], "spec.ambiguous"],
    [["00"], "spec.ambiguous"],
    [["12"], ["0012-mail"]],
    [["001-au"], ["001-auth-T1", "001-auth-phase-1"]],
    [["001-auth-T"], ["001-auth-T1"]],
    [["001-auth-"], "spec.ambiguous"],
    [[""], "spec.unknown"],
    [["nope"], "spec.unknown"],
    [["ticked"], "spec.left-out"],
    [["login", "ticked"], "spec.left-out"],
    [["login", "nope"], "spec.unknown"],
  ])("%j is %j", (names, ids) => expect(pick(...names)).toEqual(ids));
  it("that could mean several start nothing, and list them", () => {
    const two = [spec("a", "x-one"), spec("b", "x-two")];
    expect(pickSpecs({ entries: two, leftOut: new Map() }, ["x"])).toEqual({
      kind: "spec.ambiguous",
      name: "x",
      candidates: ["x-one", "x-two"],
    });
  });
});

describe("what is written down and none to start", () => {
  const DONE = "---\nbanksman: done\n---\nx";
  it.each([
    ["openspec", readOpenSpec(files({ "a/tasks.md": "- [x] 1" }), "spec/"), "has every box ticked"],
    ["markdown", readMarkdownSpecs(files({ "a.md": DONE }), "spec/"), "is marked as done"],
    ["Spec Kit", readSpecKit(files({ "a/tasks.md": "- [x] T001 x" }), "specs"), "has no open task"],
    ["superpowers", readSuperpowers(files({ "a.md": "### Task 1\n- [x] x" })), "has no open box below `### Task …`"],
  ])("is known with the reason: %s", (_, { leftOut }, why) => expect([...leftOut]).toEqual([["a", why]]));
});
