import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { McpClient } from "../mcp-client.ts";
import { Stage } from "../stage.ts";

/** As git-paw's server names them, and in its order of subjects. */
const READ_TOOLS = [
  ...["get_intents", "get_intent", "get_conflicts"],
  ...["get_adrs", "get_adr", "get_test_strategy", "get_security_checklist", "get_dod", "check_dod", "get_constitution"],
  ...["get_specs", "get_spec", "get_tasks", "get_task", "get_dependency_graph", "get_skill"],
  ...["get_session_status", "get_session_summary", "get_learnings"],
  ...["get_branches", "get_recent_commits", "get_diff"],
  ...["list_files", "read_file", "search_code"],
  ...["get_readme", "list_docs", "get_doc"],
];

let stage: Stage;
let client: McpClient | null = null;
beforeEach(() => {
  stage = new Stage({
    "src/app.ts": "export const answer = 42;\n",
    "README.md": "# App\n",
    "docs/guide.md": "# Guide\n",
    "docs/decisions/0001-sqlite.md": "# A journal in SQLite\n\nbecause\n",
    "docs/decisions/0012-http.md": "# Plain HTTP\n",
    "docs/done.md": "- [ ] tests pass\n- [ ] documented\n",
    "docs/superpowers/plans/login.md": "# Login\n\n### Task 1: Form\n\n- [x] a test\n- [ ] the code\n",
    ".agents/skills/house/SKILL.md": "---\nname: house\ndescription: rules\n---\nBe kind.\n",
    ".env": "KEY=hunter2\n",
    ".banksman/config.toml":
      '[governance]\nadr = "docs/decisions"\ndod = "docs/done.md"\nsecurity = "docs/missing.md"\n[specs]\ntype = "superpowers"\n',
  });
});
afterEach(async () => {
  client?.dispose();
  await stage.dispose();
});

async function open(env: Record<string, string> = {}): Promise<McpClient> {
  client?.dispose();
  client = new McpClient({ cwd: stage.root, env: { ...stage.env, ...env } });
  await client.initialize();
  return client;
}

it("reads session and project, names as git-paw has them, with nothing running and nothing started", async () => {
  const mcp = await open();
  expect((await mcp.tools()).sort()).toEqual([...READ_TOOLS].sort());
  expect(await mcp.ask("get_session_status")).toMatchObject({ status: "none", agents: [], supervisor: null });
  for (const name of ["get_intents", "get_adrs", "get_specs", "get_branches", "list_docs"])
    expect([name, Array.isArray(await mcp.ask(name))]).toEqual([name, true]);
  expect(await mcp.ask("get_intent", { branch_id: "feat/a" })).toBe(null);
  for (const name of ["get_session_summary", "get_learnings", "get_test_strategy", "get_security_checklist"])
    expect([name, await mcp.ask(name)]).toEqual([name, null]);
  expect(await mcp.ask("get_conflicts")).toMatchObject({ forward: [], inFlight: [], ownership: [], predicted: [] });

  expect(await mcp.ask("get_adrs")).toEqual([
    { path: "docs/decisions/0001-sqlite.md", title: "A journal in SQLite" },
    { path: "docs/decisions/0012-http.md", title: "Plain HTTP" },
  ]);
  for (const query of ["1", "0001", "ADR-1", "journal in sqlite", "0001-sqlite.md"])
    expect(await mcp.ask("get_adr", { query })).toMatchObject({ text: expect.stringContaining("because") });
  expect(await mcp.ask("get_adr", { query: "kafka" })).toBe(null);
  expect(await mcp.ask("get_dod")).toMatchObject({ path: "docs/done.md", truncated: false });
  expect(await mcp.ask("check_dod", { branch: "main" })).toMatchObject({
    points: ["tests pass", "documented"],
    work: { base: "main", commits: 0, files: [] },
  });
  expect(await mcp.ask("get_specs")).toMatchObject([{ id: "login", type: "superpowers", branch: "plan/login" }]);
  expect(await mcp.ask("get_spec", { id: "plan/login" })).toMatchObject({ text: expect.stringContaining("Task 1") });
  expect(await mcp.ask("get_tasks", { spec: "login" })).toMatchObject([
    { id: "1.1", done: true },
    { id: "1.2", done: false, text: "the code" },
  ]);
  expect(await mcp.ask("get_task", { spec: "login", id: "1.2" })).toMatchObject({ section: "Task 1: Form" });
  expect(await mcp.ask("get_task", { spec: "nothing", id: "1" })).toBe(null);
  expect(await mcp.ask("get_dependency_graph")).toMatchObject({ nodes: [{ id: "login", kind: "spec" }], edges: [] });
  expect(await mcp.ask("get_skill", { name: "house" })).toMatchObject({ body: "Be kind." });
  expect(await mcp.ask("get_skill", { name: "coordination" })).toMatchObject({ from: "banksman" });
  expect(await mcp.ask("get_skill", { name: "nobody" })).toBe(null);

  expect(await mcp.ask("get_recent_commits", { branch: "main" })).toMatchObject([
    { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
  expect(await mcp.ask("get_recent_commits", { branch: "nowhere" })).toEqual([]);
  expect(await mcp.ask("get_diff", { branch: "nowhere" })).toBe(null);
  expect(await mcp.ask("list_files", { subpath: "src" })).toEqual({ files: ["src/app.ts"], truncated: false });
  expect(await mcp.ask("read_file", { path: "src/app.ts" })).toMatchObject({ text: "export const answer = 42;\n" });
  expect(await mcp.ask("read_file", { path: "src/none.ts" })).toBe(null);
  expect(await mcp.ask("search_code", { query: "answer =" })).toEqual({
    matches: [{ path: "src/app.ts", line: 1, text: "export const answer = 42;" }],
    truncated: false,
  });
  expect(await mcp.ask("search_code", { query: "nowhere at all" })).toMatchObject({ matches: [] });
  expect(await mcp.ask("get_readme")).toMatchObject({ path: "README.md", text: "# App\n" });
  expect(await mcp.ask("list_docs")).toContain("docs/guide.md");
  expect(await mcp.ask("get_doc", { path: "guide.md" })).toMatchObject({ text: "# Guide\n" });
  expect(await mcp.end()).toBe(0);
  expect([mcp.stray, mcp.stderr]).toEqual([[], ""]);
  expect((await stage.status()).supervisor).toBe(null);
});

it("lets nobody out of the repository, by path or by link, and shows no secrets", async () => {
  const { root, repo } = stage;
  repo.git("switch", "-q", "-c", "feat/a");
  repo.write(root, "deploy/id_rsa", "hunter2\n");
  repo.write(root, "src/new.ts", "1\n");
  repo.commit(root, "work");
  repo.git("switch", "-q", "main");
  writeFileSync(join(repo.folder, "outside.txt"), "hunter2\n");
  mkdirSync(join(repo.folder, "outside"));
  writeFileSync(join(repo.folder, "outside", "SKILL.md"), "---\nname: evil\ndescription: d\n---\nhunter2\n");
  symlinkSync("../outside.txt", join(root, "link.txt"));
  symlinkSync(repo.folder, join(root, "up"));
  symlinkSync("../../../outside", join(root, ".agents/skills/evil"));
  symlinkSync(".env", join(root, "innocent.txt"));
  symlinkSync(".git/config", join(root, "config.txt"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync("../../../../outside.txt", join(root, "docs/superpowers/plans/evil.md"));
  execFileSync("mkfifo", [join(root, "pipe.txt")]);
  writeFileSync(join(root, "binary.bin"), Buffer.from([0, 1, 2]));
  writeFileSync(join(root, "large.txt"), "x".repeat(3_000_000));
  const mcp = await open();
  const paths = ["../outside.txt", "/etc/passwd", "link.txt", "up/outside.txt", "innocent.txt", "config.txt", "loop"];
  for (const path of [...paths, ".env", ".git/config", "src/../../x", "~/.bashrc", ".GIT/HEAD"]) {
    expect(await mcp.refusal("read_file", { path })).toMatch(/is not read: /);
    expect(await mcp.refusal("get_doc", { path })).toMatch(/is not read: /);
  }
  expect(await mcp.refusal("list_files", { subpath: ".." })).toMatch(/leads out/);
  expect(await mcp.refusal("search_code", { query: "hunter2", subpath: "/" })).toMatch(/relative/);
  expect(await mcp.ask("search_code", { query: "hunter2" })).toMatchObject({ matches: [] });
  expect(await mcp.ask("search_code", { query: "--open-files-in-pager=touch /tmp/x" })).toMatchObject({ matches: [] });
  expect(await mcp.ask("search_code", { query: "answer", subpath: ":(exclude)src" })).toMatchObject({ matches: [] });
  expect(await mcp.ask("read_file", { path: "pipe.txt" })).toMatchObject({ text: null });
  expect(await mcp.ask("read_file", { path: "binary.bin" })).toMatchObject({ text: null, bytes: 3 });
  expect(await mcp.ask("read_file", { path: "large.txt" })).toMatchObject({ truncated: true, bytes: 3_000_000 });
  expect((await mcp.ask<{ files: string[] }>("list_files")).files).not.toContain(".env");
  expect(await mcp.ask("get_diff", { branch: "feat/a" })).toMatchObject({
    files: ["deploy/id_rsa", "src/new.ts"],
    hidden: ["deploy/id_rsa"],
    diff: expect.not.stringContaining("hunter2"),
  });
  expect(await mcp.ask("get_diff", { branch: "--output=/tmp/pwned" })).toBe(null);
  expect(await mcp.ask("get_recent_commits", { branch: "--all" })).toEqual([]);
  expect(await mcp.refusal("get_recent_commits", { branch: "main", limit: 1e9 })).toMatch(/from 0 to 500/);
  expect(await mcp.refusal("get_recent_commits", { branch: "main\0x" })).toMatch(/NUL/);
  expect(await mcp.refusal("get_skill", { name: "../../outside" })).toMatch(/name of a skill/);
  expect(await mcp.ask("get_skill", { name: "evil" })).toBe(null);
  expect(await mcp.ask("get_specs")).toMatchObject([{ id: "login" }]);
  expect(await mcp.refusal("tell", { agent: "a", text: "x" })).toBe('There is no tool "tell".');
  expect(await mcp.refusal("read_file", { path: "x", __proto__: null, mode: "w" })).toMatch(/no argument "mode"/);
  expect(await mcp.end()).toBe(0);
});

it("shows a session while it runs and after; acts only where that is allowed", async () => {
  stage.script("feat-a", [
    { do: "intent", why: "wire it", files: ["src/app.ts"] },
    { do: "blocked", needs: "a token", from: "feat-b" },
    { do: "question", text: "RS256?" },
    { do: "wait" },
    { do: "stall" },
  ]);
  stage.script("feat-b", [
    { do: "intent", why: "the same", files: ["src/"] },
    { do: "ask", command: "true" },
    { do: "stall" },
  ]);
  await stage.start("feat/a,feat/b");
  await stage.until(({ needsYou }) => needsYou.length === 2);
  const running = await open();
  expect(await running.ask("get_intents")).toMatchObject([{ agent: "feat-a" }, { agent: "feat-b", files: ["src/"] }]);
  expect(await running.ask("get_intent", { branch_id: "feat/a" })).toMatchObject({ summary: "wire it" });
  expect(await running.ask("get_conflicts")).toMatchObject({
    forward: [{ between: ["feat-a", "feat-b"], paths: ["src/app.ts"] }],
    predicted: [],
  });
  expect(await running.ask("get_dependency_graph")).toMatchObject({
    edges: [{ from: "feat-a", needs: "feat-b", because: "a token" }],
  });
  stage.repo.write(stage.root, ".banksman/config.toml", "[mcp]\nactions = true\n");
  expect(await (await open()).tools()).not.toContain("tell");
  await stage.ok("trust", "--yes");
  const mcp = await open();
  expect((await mcp.tools()).filter((name) => !READ_TOOLS.includes(name))).toEqual([
    "tell",
    "answer",
    "verify",
    "retract",
    "pause",
    "resume",
  ]);
  const { needsYou } = await stage.status();
  const idOf = (kind: string) => needsYou.find((need) => need.kind === kind)?.id;
  expect(await mcp.refusal("answer", { id: idOf("approval"), answer: "allow" })).toMatch(/a person's to answer/);
  await mcp.ask("answer", { id: idOf("question"), answer: "yes" });
  await mcp.ask("tell", { agent: "feat/a", text: "hurry" });
  expect(await mcp.refusal("tell", { agent: "feat-z", text: "x" })).toMatch(/feat-z/);
  expect((await stage.json<object[]>("inbox", "feat-a")).slice(-2)).toMatchObject([
    { type: "agent.answer", text: expect.stringMatching(/^yes/) },
    { type: "agent.feedback", text: "[directive] hurry" },
  ]);
  expect(await mcp.ask("retract", { agent: "feat-b" })).toMatchObject({ agent: "feat-b", paths: ["src/"] });
  expect(await mcp.refusal("retract", { agent: "feat-b" })).toMatch(/feat-b claims nothing/);
  expect(await mcp.ask("pause")).toEqual({ agents: ["feat-a", "feat-b"] });
  expect(await mcp.ask("get_session_status")).toMatchObject({ status: "paused" });
  expect(await mcp.ask("resume")).toEqual({ agents: ["feat-a", "feat-b"] });
  await stage.ok("serve", "--stop");
  expect(await mcp.ask("get_intents")).toMatchObject([{ agent: "feat-a" }]);
  expect(await mcp.ask("get_dependency_graph")).toMatchObject({ edges: [{ from: "feat-a" }] });
  expect(await mcp.refusal("tell", { agent: "feat-a", text: "x" })).toMatch(/No background process/);
  expect(await mcp.end()).toBe(0);
});

it("says why it cannot start", async () => {
  const outside = await stage.bmIn(stage.home, "mcp");
  expect([outside.code, outside.err]).toEqual([1, expect.stringMatching(/not inside a git repository/)]);
  stage.repo.write(stage.root, ".banksman/config.toml", "[mcp]\nactions = 7\n");
  const wrong = await stage.bm("mcp");
  expect([wrong.code, wrong.out, wrong.err]).toEqual([1, "", expect.stringMatching(/mcp\.actions/)]);
});
