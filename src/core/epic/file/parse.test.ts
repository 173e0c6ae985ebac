import { describe, expect, it } from "vitest";
import type { Instant } from "../../text/ids.ts";
import { FILING, fileItems } from "../decide/file-item.ts";
import { type Epic, isCorrupt } from "./epic.ts";
import { parseEpic } from "./parse.ts";
import { renderEpic } from "./render.ts";

const BODY = `---
id: auth-epic
title: Sign-in without passwords
status: queued            # inbox | ready | queued
epoch: 1
seq: 4
---
Whatever the owner wrote stays as it is.

## Work Items
| # | ID | Title | Status | Worker | Review surface | Notes | Depends | Attempts | Last activity | Pending |
|---|----|-------|--------|--------|----------------|-------|---------|----------|---------------|---------|
| 1 | t-1 | Token store | in_progress | claude | — | | — | 1 | 2026-05-08T02:14:00Z | — |
| 2 | t-2 | Login page | queued | claude | — | | t-1 | 0 | — | — |

## Pattern Memory
| Tick (ISO) | Decision | Class | Notes |
|---|---|---|---|
| 2026-05-08T02:14:00Z | dispatch t-1 to claude | dispatch_ok | preflight clean |

## Pending Decisions

## Supervisor Log
`;

const read = (text: string): Epic => {
  const epic = parseEpic(text);
  if (isCorrupt(epic)) throw new Error(epic.corrupt);
  return epic;
};
const corrupt = (text: string): string => {
  const epic = parseEpic(text);
  return isCorrupt(epic) ? epic.corrupt : "";
};

describe("an epic's file", () => {
  it("is read as the spec's example says", () => {
    const epic = read(BODY);
    expect(epic).toMatchObject({ id: "auth-epic", status: "queued", epoch: 1, seq: 4, lease: null, halted: "" });
    expect(epic.items).toMatchObject([
      { id: "t-1", status: "in_progress", worker: "claude", surface: "", depends: [], attempts: 1, pending: null },
      { id: "t-2", title: "Login page", status: "queued", depends: ["t-1"], attempts: 0, lastActivity: null },
    ]);
    expect(epic.memory).toMatchObject([{ class: "dispatch_ok", decision: "dispatch t-1 to claude" }]);
  });

  it("changes only where something changed", () => {
    const epic = read(BODY);
    const [first, second] = epic.items;
    if (!first || !second) throw new Error("two items");
    const next: Epic = {
      ...epic,
      status: "review",
      seq: 5,
      halted: "why: not",
      items: [{ ...first, pending: { for: "verify" }, surface: "https://x/pull/1" }, second],
      memory: [...epic.memory, { at: 0 as Instant, decision: "a | b", class: "verify_pass", notes: "", row: null }],
      log: [...epic.log, "- one", "- two"],
    };
    const text = renderEpic(next);
    expect(text).toBe(
      BODY.replace("status: queued  ", "status: review  ")
        .replace("seq: 4\n", 'seq: 5\nhalted: "why: not"\n')
        .replace(
          "claude | — | | — | 1 | 2026-05-08T02:14:00Z | — |",
          "claude | https://x/pull/1 | | — | 1 | 2026-05-08T02:14:00Z | verify |",
        )
        .replace("preflight clean |\n", "preflight clean |\n| 1970-01-01T00:00:00Z | a \\| b | verify_pass | — |\n")
        .replace("## Supervisor Log\n", "## Supervisor Log\n\n- one\n- two\n"),
    );
    expect(renderEpic({ ...read(text), status: "queued", halted: "" })).toBe(
      text.replace("status: review  ", "status: queued  ").replace('halted: "why: not"\n', ""),
    );
  });

  it("gets the columns and sections it lacks when they are needed", () => {
    const seed =
      "---\r\nstatus: queued\r\nid: a\r\n---\r\n### work items\r\n\r\nID | Title | Status | Owner's\r\n:--|--|:-:|--\r\nx | X | queued | mine\r\ny | Y\r\n\r\ntail";
    const epic = read(seed);
    expect(renderEpic(epic)).toBe(seed);
    const [x, y] = epic.items;
    if (!x || !y) throw new Error("two items");
    const next = {
      ...epic,
      items: [
        { ...x, attempts: 1 },
        { ...y, status: "ready" },
        { ...y, id: "z", row: null, title: "Z" },
      ],
      memory: [{ at: 0 as Instant, decision: "d", class: "dispatch_ok", notes: "n", row: null }],
    };
    expect(renderEpic(next)).toBe(
      "---\r\nstatus: queued\r\nid: a\r\n---\r\n### work items\r\n\r\nID | Title | Status | Owner's | Attempts\r\n:--|--|:-:|-- | ---\r\nx | X | queued | mine | 1\r\ny | Y | ready | — | 0\r\n| z | Z | — |  | 0 |\r\n\r\ntail\r\n\r\n## Pattern Memory\r\n\r\n| Tick (ISO) | Decision | Class | Notes |\r\n|---|---|---|---|\r\n| 1970-01-01T00:00:00Z | d | dispatch_ok | n |\r\n",
    );
    expect(read(renderEpic(next)).items).toMatchObject([{ attempts: 1 }, { status: "ready" }, { id: "z" }]);
  });

  it("ignores samples in fences, comments and quotes", () => {
    const sample = "\n## Work Items\n| ID | Status |\n|--|--|\n| s | queued |\n";
    for (const [open, close] of [
      ["```\n", "```\n"],
      ["~~~~md\n", "~~~~\n"],
      ["<!--\n", "-->\n"],
      ["- x\n\n  ```\n  ", "\n  ```\n"],
    ])
      expect(
        read(BODY + open + (open?.startsWith("-") ? sample.replaceAll("\n", "\n  ") : sample) + close).items.length,
      ).toBe(2);
    expect(read(BODY + sample.replaceAll("\n", "\n> ")).items.length).toBe(2);
  });

  it.each([
    ["", "it has no frontmatter between two lines of ---"],
    ["# hello\n", "it has no frontmatter between two lines of ---"],
    ["---\nid: a\n", "its frontmatter is not closed by a line of ---"],
    [
      `---\nid: a\nnote: ${"x".repeat(70_000)}\n---\n`,
      "its frontmatter is longer than 64 kB, or not closed by a line of ---",
    ],
    ["---\nid: a\n---\n", "its frontmatter has no status"],
    ["---\nid: a b\nstatus: queued\n---\n", 'its id cannot be one: "a b"'],
    ["---\nid: a\nstatus: queued\nepoch: x\n---\n", "its epoch and seq are not whole numbers"],
    ["---\nid: a\nid: b\nstatus: queued\n---\n", 'its frontmatter cannot be read: it has the key "id" twice'],
    ["---\n{id: a, status: queued}\n---\n", "its frontmatter is not a list of keys, one per line"],
    [`${BODY}\n## Work items\n`, "it has two sections called Work Items"],
    [`${BODY}\n### PATTERN MEMORY\n`, "it has two sections called Pattern Memory"],
    [
      BODY.replace("| t-1 | 0 | — | — |", "| t-1 | 0 | — | — | more |"),
      "## Work Items: row 2 has 12 cells where the header has 11",
    ],
    [BODY.replace("| t-2 |", "| t-1 |"), "two of its work items are called t-1"],
    [BODY.replace("| t-2 |", "| t 2 |"), 'row 2 of its work items has an ID that cannot be one: "t 2"'],
    [BODY.replace("| Status |", "| State |"), "## Work Items: its table has no column ID and Status"],
    [BODY.replace("| Notes | Depends", "| Status | Depends"), "## Work Items: its table has the column Status twice"],
    ["x".repeat(10 * 1024 * 1024), "it has 10485760 characters, and 2097152 is the most"],
  ])("%#: is refused with a reason", (text, why) => expect(corrupt(text)).toBe(why));

  it("keeps a byte order mark, tabs and foreign lines in a table", () => {
    const text = `\uFEFF${BODY.replace("| t-2 | Login page |", "|\tt-2\t|\tLogin page\t|").replace("\n\n## Pattern", "\na line of prose\n\n## Pattern")}`;
    const epic = read(text);
    expect(epic.items.map(({ title }) => title)).toEqual(["Token store", "Login page"]);
    expect(renderEpic(epic)).toBe(text);
    expect(renderEpic({ ...epic, seq: 9 })).toBe(text.replace("seq: 4", "seq: 9"));
  });

  it("is not taken for certain while git's conflict markers are in it", () => {
    const both = (row: string) => `<<<<<<< HEAD\n${row}=======\n| 3 | t-3 | Logout | queued |\n>>>>>>> theirs\n`;
    const rows = BODY.replace(/\| 2 \|.*\n/, (row) => both(row));
    expect(corrupt(rows)).toBe("git's conflict markers are in it");
    expect(corrupt(BODY.replace(/What.*\n/, (prose) => both(prose)))).toBe("git's conflict markers are in it");
    expect(corrupt(BODY.replace("status: queued", both("status: queued\n")))).toMatch(/frontmatter/);
    expect(corrupt(BODY.replace(/What.*\n/, (prose) => `\`\`\`\n${both(prose)}\`\`\`\n`))).toBe("");
  });

  it("takes an older name of a column only where the newer one is not there", () => {
    const named = (head: string) => BODY.replace("| # | ID | Title | Status |", head);
    expect(read(named("| # | ID | Task | Status |")).items[0]).toMatchObject({ id: "t-1", title: "" });
    expect(read(named("| # | Task | Title | Status |")).items[0]).toMatchObject({ id: "t-1" });
    expect(corrupt(named("| # | Task | Item | Status |"))).toMatch(/the column Item twice/);
    expect(corrupt(named("| ID | ID | Title | Status |"))).toMatch(/the column ID twice/);
  });

  it.each(["\n", "\r\n"])("writes over a value of several lines and leaves the next key alone", (eol) => {
    const text = BODY.replace(
      "status: queued            # inbox | ready | queued",
      "status: >-\n  queued\nhalted: |\n  a\n  b",
    );
    const epic = read(text.replaceAll("\n", eol));
    const after = read(renderEpic({ ...epic, status: "review", halted: "why" }));
    expect(after).toMatchObject({ status: "review", halted: "why", epoch: 1, seq: 4, id: "auth-epic" });
    expect(read(renderEpic({ ...epic, halted: "" }))).toMatchObject({ status: "queued", halted: "", epoch: 1 });
  });

  it("knows an intent by what a tick would write", () => {
    const having = (item: string, key: string) =>
      BODY.replace("seq: 4", `seq: 4\nintent: ${JSON.stringify({ item, worker: "w", key })}`);
    expect(read(having("t-1", "auth-epic/1/4")).intent).toMatchObject({ item: "t-1" });
    for (const [item, key] of [
      ["../../up", "e/1/4"],
      ["t-1", "../../up"],
      ["t-1", "e/../4"],
      ["t-1", ".../1/4"],
    ] as const)
      expect(corrupt(having(item, key))).toMatch(/intent/);
  });

  it("has sections by their names, and by nothing that every object has", () => {
    expect(corrupt(`${BODY}\n## constructor\n\n## constructor\n`)).toBe("");
  });

  it.each([
    ["Work", "Items"],
    ["Work", "Items ##"],
    ["Rollback", "Plan"],
    ["Pattern", "Memory"],
  ])("lets no item called %s with the title %s be a section", (id, title) => {
    const empty = read(BODY.replaceAll(/^\| [12] \|.*\n/gm, ""));
    const child = { ...FILING, id, title, body: "automatic: all is well" };
    const after = read(renderEpic(fileItems(empty, [child]).epic));
    expect(after.items).toMatchObject([{ id, title }]);
    expect([after.rollback, after.briefs.get(id), after.memory.length]).toEqual(["", child.body, 1]);
  });
});
