import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { draw } from "../epics/sketch.ts";
import { BIN } from "../stage.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "bm-epic-"));
  folders.push(cwd);
});

const env = () => ({ PATH: process.env.PATH ?? "", HOME: cwd, BANKSMAN_STATE_DIR: join(cwd, "state") });
const bm = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "epic", ...args], {
    cwd,
    env: env(),
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
};
const json = (...args: string[]) => JSON.parse(bm(...args, "--json").out) as Record<string, unknown>;
const file = (name: string) => join(cwd, name);
const write = (name: string, content: unknown) =>
  writeFileSync(file(name), typeof content === "string" ? content : JSON.stringify(content));
const textOf = (name: string) => readFileSync(file(name), "utf8");
const DISPATCH = { action: "dispatch", task_id: "a", worker: "claude", project: "p" };

describe("an epic on the command line", () => {
  it("is made, planned, approved and shown", () => {
    execFileSync("git", ["init", "-q", cwd]);
    expect(bm("new", "auth", "--title", "Sign-in: without passwords").code).toBe(0);
    expect(textOf(".banksman/epics/auth.md")).toContain("Describe the goal, and how to check that it is reached.");
    expect(bm("new").err).toMatch(/^Give the new epic an id: banksman epic new <id>\.\n/);
    expect(bm("promote").err).toMatch(/^Which epic\? Give its id: banksman epic promote <id>\.\n/);
    expect(bm("new", "auth").err).toMatch(/already exists, and was not changed/);
    write("plan.json", { action: "decompose", items: [{ title: "Token store" }, { title: "Login", depends: ["$1"] }] });
    expect(json("tick", "auth")).toMatchObject({
      next: "ask",
      role: "planner",
      brief: { epic: "auth", role: "decompose" },
      status: "inbox",
    });
    expect(json("tick", "auth", "--verdict", "plan.json")).toMatchObject({
      next: "applied",
      row: { class: "plan_review" },
      status: "review",
    });
    expect(json("tick", "auth")).toMatchObject({ next: "noop", effects: [] });
    expect(json("promote", "auth")).toEqual({ id: "auth", status: "queued" });
    expect(json("show", "auth")).toMatchObject({
      ...{ id: "auth", title: "Sign-in: without passwords", status: "queued", epoch: 1, seq: 1 },
      items: [
        { id: "t-1", status: "ready" },
        { id: "t-2", depends: ["t-1"], waitsFor: ["t-1"] },
      ],
      ...{ brake: { counts: { verify_fail: 0 } }, decisions: [], next: "asks the planner (preflight)" },
    });
    expect(json("list")).toMatchObject([{ id: "auth", status: "queued", items: 2, open: 2 }]);
    expect(bm("show", "auth").out).toMatch(/○ t-2 {3}ready {8}Login {2}← t-1\n[\s\S]*next: asks the planner/);
    expect(bm("log", "auth").out).toMatch(/plan_review {8}decompose into 2 items/);
    expect(bm("show", "auht").err).toBe(
      `There is no epic \`auht\` (${join(cwd, ".banksman/epics")}).\nDid you mean auth?\n`,
    );
  });

  it("says in the documented shape what a tick would do, and writes nothing in a dry run", () => {
    const text = draw({ items: "a queued; b in_progress claude" });
    write("e.md", text);
    write("v.json", DISPATCH);
    write("s.json", [{ item: "b", kind: "activity", at: "2026-05-08T11:30:00Z" }]);
    const answer = json(
      "tick",
      "e.md",
      "--dry-run",
      "--verdict",
      "v.json",
      "--signals",
      "s.json",
      "--now",
      "2026-05-08T12:00:00Z",
    );
    expect(answer).toEqual({
      ...{
        next: "applied",
        role: "planner",
        brief: expect.objectContaining({ epic: "e", role: "preflight" }),
        status: "queued",
      },
      row: { class: "dispatch_ok", decision: "dispatch a to claude", notes: "attempt 1" },
      effects: [
        { kind: "save", key: "e/1/1" },
        { kind: "dispatch", key: "e/1/1", item: "a", worker: "claude", title: "Item a", project: "" },
      ],
      body: expect.stringContaining("| 2026-05-08T12:00:00Z | dispatch a to claude | dispatch_ok | attempt 1 |"),
    });
    expect(answer.body).toContain(
      "| 2 | b | Item b | in_progress | claude | — | — | — | — | 2026-05-08T11:30:00Z | — |",
    );
    expect(textOf("e.md")).toBe(text);
  });

  it("keeps what a person does between ticks: another order, a column, prose, a status", () => {
    write("e.md", draw({ items: "a in_progress claude; b queued; c queued depends=b" }));
    write("exit.json", [{ item: "a", kind: "exit", code: 0, pr: "https://x/pull/1" }]);
    write("pass.json", { verdict: "PASS" });
    // Both ticks have their own present: what a clock ahead of it has written would be dated anew.
    bm("tick", "e.md", "--signals", "exit.json", "--verdict", "pass.json", "--now", "2026-11-08T11:00:00Z");
    const lines = textOf("e.md").split("\n");
    const rows = lines.filter((line) => /^\| \d \| [abc] \|/.test(line)).map((line) => `${line} my ${line[6]} |`);
    const edited = lines
      .map((line) =>
        line.startsWith("| # |")
          ? `${line} Mine |`
          : line.startsWith("|---|") && line.length > 40
            ? `${line}:-:|`
            : line,
      )
      .flatMap((line) =>
        /^\| 1 \| a \|/.test(line) ? [...rows].reverse() : /^\| [23] \| [bc] \|/.test(line) ? [] : [line],
      )
      .join("\n")
      .replace("## Work Items", "Some words of mine.\n\n## Work Items\n\nAnd more:\n")
      .replace("| c | Item c | queued |", "| c | Item c | cancelled |");
    write("e.md", edited);
    write("v.json", { ...DISPATCH, task_id: "b" });
    const { body } = json("tick", "e.md", "--dry-run", "--verdict", "v.json", "--now", "2026-11-08T12:00:00Z") as {
      body: string;
    };
    const changed = body.split("\n").filter((line) => !edited.split("\n").includes(line));
    expect(changed).toEqual([
      "seq: 2",
      "| 2 | b | Item b | in_progress | claude | — | — | — | 1 | 2026-11-08T12:00:00Z | — | my b |",
      expect.stringMatching(/^\| 2026-11-\S+ \| dispatch b to claude \| dispatch_ok \| attempt 1 \|$/),
    ]);
    expect(edited.split("\n").filter((line) => !body.split("\n").includes(line))).toEqual([
      "seq: 1",
      "| 2 | b | Item b | queued | — | — | — | — | — | — | — | my b |",
    ]);
  });

  it("lets one of several ticks at once move it", async () => {
    write("e.md", draw({ items: "a blocked; b blocked" }));
    const tick = () =>
      new Promise<{ next: string; effects: { kind: string }[] }>((resolve) => {
        execFile(process.execPath, [BIN, "epic", "tick", "e.md", "--json"], { cwd, env: env() }, (_, out) =>
          resolve(JSON.parse(out)),
        );
      });
    const reports = await Promise.all(Array.from({ length: 6 }, tick));
    expect(reports.filter(({ effects }) => effects.some(({ kind }) => kind === "notify")).length).toBe(1);
    expect(textOf("e.md").match(/why-a/g)?.length).toBe(1);
    expect(readdirSync(cwd).filter((name) => name.startsWith(".banksman-"))).toEqual([]);
  });

  it("halts once, resets by a person's word, and answers decisions", () => {
    write("e.md", draw({ items: "a queued", rows: "verify_fail verify_fail verify_fail" }));
    expect(json("tick", "e.md")).toMatchObject({
      next: "halt",
      status: "review",
      row: { class: "brake_fired", notes: "recurring: verify_fail" },
    });
    const halted = textOf("e.md");
    expect([json("tick", "e.md"), textOf("e.md")]).toEqual([expect.objectContaining({ next: "noop" }), halted]);
    bm("promote", "e.md");
    expect(json("tick", "e.md")).toMatchObject({ next: "applied", row: { class: "brake_reset" } });
    expect(json("tick", "e.md")).toMatchObject({ next: "ask" });
    expect(json("reset", "e.md")).toEqual({ id: "e", status: "queued", epoch: 3 });
    // cases.test.ts has what is counted after it.
    expect(bm("reset", "e.md").out).toBe(
      "e is queued again, epoch 4: failures and attempts are counted from zero. The planner's halts after a failure still count.\n",
    );
    write("d.md", draw({ items: "a blocked" }));
    bm("tick", "d.md");
    expect(bm("answer", "d.md", "nothing", "x").err).toBe('e has no question "nothing".\nOpen: why-a.\n');
    expect(json("answer", "d.md", "why-a", "the", "vendor | is late")).toMatchObject({
      answer: "the vendor | is late",
    });
    expect(json("tick", "d.md")).toMatchObject({ next: "finish", status: "ready_for_user_review" });
  });

  it.each([
    ["two sections", `${draw({ items: "a queued" })}\n## Work Items\n`],
    ["a long row", draw({ items: "a queued" }).replace("| a |", "| a | more |")],
    ["no frontmatter", "# hello\n"],
    ["not a text", "\u0000"],
    ["10 MB", `${draw({ items: "a queued" })}${"prose ".repeat(1_800_000)}`],
  ])("is refused and stays as it is: %s", (_, text) => {
    write("e.md", text);
    if (text === "\u0000") writeFileSync(file("e.md"), Buffer.from([0x2d, 0xff, 0xfe]));
    const before = readFileSync(file("e.md"));
    write("v.json", DISPATCH);
    const { code, out, err } = bm("tick", "e.md", "--verdict", "v.json", "--json");
    expect([code, (JSON.parse(out) as { next: string }).next, err]).toEqual([
      1,
      "corrupt",
      expect.stringContaining("was not touched"),
    ]);
    expect(readFileSync(file("e.md")).equals(before)).toBe(true);
    expect(bm("show", "e.md")).toMatchObject({ code: 1, err: expect.stringContaining("was not touched") });
    expect(bm("promote", "e.md").code).toBe(1);
    expect(readFileSync(file("e.md")).equals(before)).toBe(true);
  });

  it("54: a store that cannot be used is an error, not an empty one", () => {
    mkdirSync(file("e.md"));
    expect(bm("tick", "e.md")).toMatchObject({ code: 1, err: expect.stringContaining("could not be used") });
    expect(bm("tick", "gone.md")).toMatchObject({ code: 1, err: expect.stringContaining("There is no epic") });
    mkdirSync(file(".banksman"));
    write(".banksman/epics", "a file");
    expect(bm("list")).toMatchObject({ code: 1, out: "" });
    write("big.md", "");
    truncateSync(file("big.md"), 2 ** 40);
    expect(json("tick", "big.md", "--dry-run")).toMatchObject({ next: "corrupt" });
  });

  it("takes nothing on trust: signals, times, words", () => {
    write("e.md", draw({ items: "a queued" }));
    for (const wrong of [
      "{}",
      "[1]",
      "[",
      '[{"item":"a","kind":"exit"}]',
      '[{"item":"a","kind":"activity","at":"soon"}]',
    ]) {
      write("s.json", wrong);
      expect([wrong, bm("tick", "e.md", "--signals", "s.json")]).toMatchObject([wrong, { code: 1, out: "" }]);
    }
    expect(bm("tick", "e.md", "--now", "tomorrow").err).toMatch(/--now is not a time/);
    expect(bm("tick", "e.md", "--verdict", "nowhere.json").err).toMatch(
      /^The file nowhere\.json \(--verdict\) does not exist\.\n/,
    );
    expect(bm("answer", "e.md").err).toMatch(/^Name the decision and your answer: banksman epic answer/);
    expect(bm("frobnicate", "e.md").err).toMatch(/There is no command `epic frobnicate`/);
    expect(bm("tick").err).toMatch(/Which epic/);
    expect(bm("new", "../x").err).toMatch(/cannot be an id/);
  });
});
