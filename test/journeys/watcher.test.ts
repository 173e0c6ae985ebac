import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConflictsView } from "../../src/core/conflicts/view.ts";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage({ "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n", ".gitignore": "build/\n" });
});
afterEach(() => stage.dispose());

/** Agents that are there and do nothing: what happens in their worktrees is done by the test. */
async function session(agents: string, config = ""): Promise<void> {
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), config);
  for (const agent of agents.split(",")) stage.script(agent, [{ do: "stall" }]);
  await stage.start(agents);
}

function edit(agent: string, name: string, text: string): void {
  const path = join(stage.worktree(agent), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const agentIn = async (id: string, so: (files: readonly string[], state: string) => boolean) => {
  const { agents } = await stage.until(({ agents: all }) => {
    const agent = all.find((each) => each.id === id);
    return agent !== undefined && so(agent.modifiedFiles, agent.state);
  });
  return agents.find((each) => each.id === id);
};

interface Entry {
  readonly type: string;
  readonly text: string;
  readonly from: string;
  readonly delivered: boolean;
}

async function inboxUntil(agent: string, so: (entries: readonly Entry[]) => boolean): Promise<Entry[]> {
  for (;;) {
    const entries = await stage.json<Entry[]>("inbox", agent);
    if (so(entries)) return entries;
    await sleep(20);
  }
}

const WARNED = "[supervisor]\nenabled = true\n[supervisor.conflict]\nwindow_seconds = 3600\n";

it("tells in an agent's name what it edits, renames and leaves clean again", async () => {
  await session("xx");
  edit("xx", "src/a.ts", "one\n2\nthree\n");
  await agentIn("xx", (files) => files.join() === "src/a.ts");
  edit("xx", "new folder/é.txt", "x\n");
  edit("xx", "build/out.js", "ignored\n");
  await agentIn("xx", (files) => files.join() === "new folder/é.txt,src/a.ts");
  stage.repo.gitIn(stage.worktree("xx"), "mv", "src/b.ts", "src/c.ts");
  await agentIn("xx", (files) => files.join() === "new folder/é.txt,src/a.ts,src/b.ts,src/c.ts");
  stage.repo.gitIn(stage.worktree("xx"), "reset", "-q", "--hard");
  rmSync(join(stage.worktree("xx"), "new folder"), { recursive: true });
  await agentIn("xx", (files) => files.length === 0);
});

it("tells a commit with its files to everybody, and asks to verify it", async () => {
  await session("xx,yy");
  edit("xx", "src/a.ts", "one\n2\nthree\n");
  edit("xx", "more.txt", "x\n");
  stage.repo.gitIn(stage.worktree("xx"), "add", "--all");
  stage.repo.gitIn(stage.worktree("xx"), "commit", "-q", "-m", "work");
  const heard = await inboxUntil("yy", (entries) => entries.length > 0);
  expect(heard.map(({ type, from, text }) => [type, from, text])).toEqual([
    ["agent.artifact", "xx", "committed: more.txt, src/a.ts"],
  ]);
  const asked = await inboxUntil("supervisor", (entries) => entries.some(({ type }) => type.endsWith("verify-now")));
  expect(asked.at(-1)?.text).toBe("verify xx now");
  expect((await agentIn("xx", (files) => files.length === 0))?.state).toBe("committed");
});

it("tells after a restart what was committed meanwhile, once", async () => {
  await session("xx,yy");
  await stage.killSupervisor();
  edit("xx", "src/a.ts", "one\n2\nthree\n");
  stage.repo.gitIn(stage.worktree("xx"), "commit", "-q", "--all", "-m", "meanwhile");
  await stage.ok("start", "--headless");
  await inboxUntil("yy", (entries) => entries.some(({ text }) => text === "committed: src/a.ts"));
  await stage.killSupervisor();
  await stage.ok("start", "--headless");
  edit("xx", "src/b.ts", "x\n");
  await agentIn("xx", (files) => files.join() === "src/b.ts");
  expect((await stage.json<Entry[]>("inbox", "yy")).filter(({ type }) => type === "agent.artifact")).toHaveLength(1);
});

it("says who is in whose way as soon as it is on disk, and what would not merge", async () => {
  await session("xx,yy", WARNED);
  const before = snapshotOf(join(stage.root, ".git"));
  edit("xx", "src/a.ts", "one\nby xx\nthree\n");
  await agentIn("xx", (files) => files.join() === "src/a.ts");
  edit("yy", "src/a.ts", "one\nby yy\nthree\n");
  const isPredicted = ({ text }: Entry) => text.includes("predicted conflict");
  const told = await inboxUntil("xx", (entries) => entries.some(isPredicted));
  expect(told.map(({ text }) => text.split("\n")[0])).toEqual([
    "[conflict-detector] in-flight conflict: file src/a.ts is being modified by both you and yy",
    "[conflict-detector] predicted conflict: your work would not merge with agent yy's work as it is now: src/a.ts (content); you were there first",
  ]);
  expect(told.find(isPredicted)?.text.split("\n").slice(1)).toEqual([
    "src/a.ts, line 2:",
    "  base | two",
    "  you | by xx",
    "  yy | by yy",
  ]);
  const [other] = (await inboxUntil("yy", (entries) => entries.some(isPredicted))).filter(isPredicted);
  expect(other?.text).toContain("xx was there first");
  const view = await stage.json<ConflictsView>("conflicts");
  expect(view.predicted).toMatchObject([
    {
      between: ["xx", "yy"],
      paths: ["src/a.ts"],
      files: [{ hunks: [{ line: 2, base: ["two"], ours: ["by xx"], theirs: ["by yy"] }] }],
    },
  ]);
  expect(view.inFlight).toMatchObject([{ between: ["xx", "yy"], paths: ["src/a.ts"] }]);
  expect(await stage.ok("conflicts")).toContain("by yy");
  expect(snapshotOf(join(stage.root, ".git"))).toEqual(before);
  // Nothing is asked about it, and once it merges again it is gone.
  stage.repo.gitIn(stage.worktree("yy"), "checkout", "-q", "--", "src/a.ts");
  await untilConflicts(({ predicted, inFlight }) => predicted.length === 0 && inFlight.length === 0);
  expect((await stage.status()).needsYou).toEqual([]);
});

it("leaves two at one file alone while their work merges, and asks when it does not", async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const text = (at: number, by: string) => `${lines.map((line, i) => (i === at ? by : line)).join("\n")}\n`;
  edit0("long.txt", text(-1, ""));
  await session("xx,yy", "[supervisor]\nenabled = true\n[supervisor.conflict]\nwindow_seconds = 8\n");
  edit("xx", "long.txt", text(1, "by xx"));
  await agentIn("xx", (files) => files.length === 1);
  edit("yy", "long.txt", text(28, "by yy"));
  const clean = ({ text: said }: Entry) => said.includes("merges without a conflict");
  for (const agent of ["xx", "yy"]) await inboxUntil(agent, (entries) => entries.some(clean));
  await untilConflicts(({ inFlight }) => inFlight.length === 1 && inFlight[0]?.settled === true);
  edit("yy", "long.txt", text(1, "by yy"));
  const { needsYou } = await stage.until(({ needsYou: open }) => open.length > 0);
  expect(needsYou[0]?.text).toContain("in-flight conflict: xx and yy have both been at long.txt");
});

it("warns of what belongs to another's spec", async () => {
  edit0("openspec/changes/one/tasks.md", "# One\n\n- [ ] do it\n\nFiles owned:\n- `src/a.ts`\n");
  edit0("openspec/changes/two/tasks.md", "# Two\n\n- [ ] do it\n\nFiles owned:\n- `src/b.ts`\n");
  mkdirSync(join(stage.home, ".config/banksman"), { recursive: true });
  writeFileSync(join(stage.home, ".config/banksman/config.toml"), WARNED);
  for (const agent of ["spec-one", "spec-two"]) stage.script(agent, [{ do: "stall" }]);
  await stage.ok("start", "--headless", "--specs", "one,two", "--specs-format", "openspec", "--cli", "scripted");
  edit("spec-two", "src/a.ts", "mine now\n");
  const told = await inboxUntil("spec-two", (entries) => entries.length > 0);
  expect(told[0]?.text).toContain(
    "[conflict-detector] ownership violation: you edited src/a.ts, which belongs to agent spec-one's spec",
  );
  const { needsYou } = await stage.until(({ needsYou: open }) => open.length > 0);
  expect(needsYou[0]?.text).toBe(
    "[conflict-detector] ownership violation: spec-two edited src/a.ts, which is spec-one's: is that meant?",
  );
});

it("warns of what belongs to a spec that nobody works on here", async () => {
  edit0("openspec/changes/one/tasks.md", "# One\n\n- [ ] do it\n\nFiles owned:\n- `src/a.ts`\n");
  mkdirSync(join(stage.home, ".config/banksman"), { recursive: true });
  writeFileSync(join(stage.home, ".config/banksman/config.toml"), WARNED);
  stage.script("feat-x", [{ do: "stall" }]);
  await stage.ok("start", "--headless", "--branches", "feat/x", "--cli", "scripted");
  edit("feat-x", "src/a.ts", "mine now\n");
  const told = await inboxUntil("feat-x", (entries) => entries.length > 0);
  expect(told[0]?.text).toContain("which belongs to the spec spec/one, and no agent works on that here");
  const { ownership } = await untilConflicts((view) => view.ownership.length > 0);
  expect(ownership[0]).toMatchObject({ between: ["feat-x", "spec/one"], paths: ["src/a.ts"] });
});

async function untilConflicts(so: (view: ConflictsView) => boolean): Promise<ConflictsView> {
  for (;;) {
    const view = await stage.json<ConflictsView>("conflicts");
    if (so(view)) return view;
    await sleep(20);
  }
}

/** In the main checkout, committed, before the session. */
function edit0(name: string, text: string): void {
  stage.repo.write(stage.root, name, text);
  stage.repo.git("add", "--all");
  stage.repo.git("commit", "-q", "-m", name);
}

/** Every file of the shared git folder with its content: what we look at must stay as it is. */
function snapshotOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(path, "latin1")]));
}

it("looks after the worktree of an agent it did not start, and of no folder that is none of the repository's", async () => {
  await session("xx");
  const guest = join(stage.repo.folder, "guest");
  stage.repo.git("worktree", "add", "-q", "-b", "guest", guest);
  const { supervisor } = await stage.status();
  const register = async (body: object) => {
    const response = await fetch(`${supervisor?.url}/watch`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${readFileSync(join(stage.folder, "operator.token"), "utf8").trim()}`,
      },
      body: JSON.stringify(body),
    });
    return [response.status, ((await response.json()) as { error?: string }).error ?? ""];
  };
  expect(await register({ agent_id: "guest", worktree_path: "<path>" })).toEqual([
    400,
    "worktree_path looks like an unfilled placeholder: <path>",
  ]);
  expect(await register({ agent_id: "guest", worktree_path: stage.home })).toEqual([
    400,
    `${stage.home} is not a worktree of this repository.`,
  ]);
  for (const _ of [1, 2])
    expect(await register({ agent_id: "guest", worktree_path: guest, cli: "x" })).toEqual([202, ""]);
  writeFileSync(join(guest, "src/a.ts"), "by the guest\n");
  expect(await agentIn("guest", (files) => files.join() === "src/a.ts")).toMatchObject({ supervised: false, cli: "x" });
  stage.repo.gitIn(guest, "commit", "-q", "--all", "-m", "by the guest");
  await inboxUntil("xx", (entries) => entries.some(({ text }) => text === "committed: src/a.ts"));
});

it("lets an agent that was paused go on when the other one has committed", async () => {
  await session("xx,yy");
  const own = await stage.bm("pause", "yy", "--until-commit", "yy");
  expect([own.code, own.err]).toEqual([1, expect.stringMatching(/^yy cannot wait for its own commit\./)]);
  expect(await stage.ok("pause", "xx", "--until-commit", "yy")).toBe("Paused until yy commits: xx.\n");
  await stage.ok("tell", "xx", "hello");
  edit("yy", "src/a.ts", "x\n");
  await agentIn("yy", (files) => files.length === 1);
  expect((await stage.json<Entry[]>("inbox", "xx")).map(({ delivered }) => delivered)).toEqual([false]);
  stage.repo.gitIn(stage.worktree("yy"), "commit", "-q", "--all", "-m", "work");
  await inboxUntil("xx", (entries) => entries[0]?.delivered === true);
});
