import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lives } from "../../src/cli/supervisor/state-files.ts";
import type { AgentView } from "../../src/core/views/snapshot.ts";
import { eventually, Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const commits = (branch: string) => stage.repo.git("log", "--format=%s", `main..${branch}`).split("\n").filter(Boolean);

describe("a headless session", () => {
  it("runs three agents side by side, each on its own branch in its own worktree", async () => {
    const out = await stage.start("feat/a,feat/b,fix/c");
    expect(out).toMatch(/Started bm-app-[0-9a-f]{4} with 3 agents/);
    const { agents, session, status, needsYou, supervisor, broker } = await stage.allIn("done");
    expect(agents.map(({ id, branch, cli, worktree }) => [id, branch, cli, worktree])).toEqual([
      ["feat-a", "feat/a", "scripted", stage.worktree("feat-a")],
      ["feat-b", "feat/b", "scripted", stage.worktree("feat-b")],
      ["fix-c", "fix/c", "scripted", stage.worktree("fix-c")],
    ]);
    expect([status, needsYou, broker.port]).toEqual(["active", [], Number(new URL(supervisor?.url ?? "").port)]);
    expect([commits("feat/a"), commits("feat/b"), commits("fix/c")]).toEqual([
      ["Add a note by feat-a"],
      ["Add a note by feat-b"],
      ["Add a note by fix-c"],
    ]);
    expect(stage.repo.git("status", "--porcelain")).toBe("");
    const receipt = JSON.parse(readFileSync(join(stage.folder, "sessions", `${session}.json`), "utf8"));
    expect(receipt).toMatchObject({
      session_name: session,
      repo_path: stage.root,
      project_name: "app",
      status: "active",
      broker_enabled: true,
      worktrees: [{ branch: "feat/a", worktree_path: stage.worktree("feat-a"), cli: "scripted" }, {}, {}],
    });
    expect(statSync(stage.folder).mode & 0o777).toBe(0o700);
  });

  it("shows the same to people and to programs, with and without a supervisor", async () => {
    stage.script("feat-a", [
      { do: "status", text: "at it" },
      { do: "artifact" },
      { do: "end", how: "ok", text: "done" },
    ]);
    await stage.start("feat/a");
    await stage.allIn("done");
    const look = async () => ({
      agents: await stage.json<AgentView[]>("agents"),
      log: await stage.ok("log", "--jsonl"),
      inbox: await stage.json<object[]>("inbox"),
      effects: await stage.json<object[]>("log", "--effects"),
    });
    const running = await look();
    expect(
      running.log
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).message.type),
    ).toEqual(["agent.status", "agent.artifact"]);
    expect(running.inbox).toMatchObject([
      { seq: 2, type: "agent.artifact", from: "feat-a", delivered: false, acted: false },
    ]);
    expect((running.effects as { effect: string }[]).map(({ effect }) => effect)).toEqual([
      "worktree.add",
      "worktree.fill",
      "worktree.set-up",
      "agent.launch",
    ]);
    await stage.ok("serve", "--stop");
    const stopped = await look();
    expect(stopped).toEqual({
      ...running,
      agents: running.agents.map((agent) => ({ ...agent, lastSeen: expect.any(String), pid: null })),
    });
    expect((await stage.status()).supervisor).toBe(null);
    expect(await stage.ok("status")).toMatch(/stopped[\s\S]*feat-a/);
  });

  it("asks a person, and does as it is told", async () => {
    stage.script("feat-a", [
      { do: "ask", command: "echo yes > allowed.txt" },
      { do: "ask", command: "echo no > denied.txt" },
      { do: "question", text: "RS256 or HS256?" },
      { do: "wait" },
      { do: "usage", input: 1200, output: 34, cost: 0.05 },
      { do: "commit", message: "Done as told" },
    ]);
    await stage.start("feat/a");
    const question = async (kind: string) =>
      (await stage.until(({ needsYou }) => needsYou.some((need) => need.kind === kind))).needsYou[0]?.id ?? "";
    const first = await question("approval");
    expect(await stage.json("questions")).toMatchObject([
      { id: first, kind: "approval", agent: "feat-a", command: "echo yes > allowed.txt", options: ["allow", "deny"] },
    ]);
    expect((await stage.bm("answer", first, "maybe")).err).toMatch(/allow.*or `deny`/);
    await stage.ok("answer", first, "allow");
    const second = (await stage.until(({ needsYou }) => needsYou.some(({ id }) => id !== first))).needsYou[0]?.id ?? "";
    await stage.ok("answer", second, "deny", "not", "that", "file");
    const third = await question("question");
    await stage.ok("answer", third, "RS256");
    await stage.until(({ needsYou }) => needsYou.length === 0);
    await stage.ok("tell", "feat/a", "finish", "up");
    const { agents } = await stage.allIn("done");
    expect(agents[0]?.usage).toEqual({ tokens: 1234, cost: 0.05 });
    expect([
      existsSync(join(stage.worktree("feat-a"), "allowed.txt")),
      existsSync(join(stage.worktree("feat-a"), "denied.txt")),
    ]).toEqual([true, false]);
    const log = readFileSync(agents[0]?.log ?? "", "utf8");
    expect(log).toMatch(/not allowed: not that file[\s\S]*question: RS256[\s\S]*\[directive\] finish up/);
    expect(await stage.json("inbox", "feat-a")).toMatchObject([
      { type: "agent.answer", delivered: true },
      { type: "agent.feedback", text: "[directive] finish up", delivered: true },
    ]);
    expect((await stage.bm("answer", first, "allow")).err).toMatch(/q1 was answered already: `allow`/);
  });

  it("stops without a trace of a process, and goes on where it was", async () => {
    stage.script("feat-a", [
      { do: "write", path: "one", text: "1\n" },
      { do: "commit", message: "One" },
      { do: "write", path: "dirty", text: "d\n" },
      { do: "wait" },
      { do: "commit", message: "Two" },
    ]);
    await stage.start("feat/a");
    await eventually(() => existsSync(join(stage.worktree("feat-a"), "dirty")));
    const pid = await stage.supervisorPid();
    expect(await stage.ok("stop")).toMatch(
      /Stopped feat-a\. Its worktree stays; .* brings it back\.\nThe background process has ended\./,
    );
    expect([stage.marked(), lives(pid), (await stage.status()).status]).toEqual([[], false, "stopped"]);
    expect(stage.repo.read(stage.worktree("feat-a"), "dirty")).toBe("d\n");
    expect((await stage.bm("tell", "feat-a", "x")).err).toMatch(/not running/);
    expect(await stage.start("")).toMatch(/Started bm-app-\w+ again with 1 agent/);
    await stage.ok("tell", "feat-a", "go on");
    await stage.allIn("done");
    expect(commits("feat/a")).toEqual(["Two", "One"]);
  });

  it("is one session, however often it is started", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    const [again, other, pid] = [
      await stage.start(""),
      await stage.bm("start", "--headless", "--branches", "feat/z", "--cli", "scripted"),
      await stage.supervisorPid(),
    ];
    expect(again).toMatch(/Already running/);
    expect([other.code, other.err]).toEqual([1, expect.stringMatching(/banksman add feat\/z/)]);
    expect([await stage.supervisorPid(), stage.marked().length]).toEqual([pid, 1]);
  });

  it("takes agents in and out while it runs", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    stage.script("feat-b", [{ do: "write", path: "dirty", text: "d\n" }, { do: "stall" }]);
    await stage.start("feat/a");
    expect(await stage.ok("add", "feat/b", "--cli", "scripted")).toMatch(/Added 1 agent to/);
    await eventually(() => existsSync(join(stage.worktree("feat-b"), "dirty")));
    expect((await stage.bm("add", "feat/a", "--cli", "scripted")).err).toMatch(/already has an agent here: feat-a/);
    expect((await stage.bm("remove", "feat-b")).err).toMatch(/feat-b has 1 uncommitted file[\s\S]*--force/);
    expect(await stage.ok("remove", "feat-b", "--force")).toMatch(
      /feat-b: removed, saved as refs\/banksman\/backup\/feat-b\//,
    );
    expect([
      existsSync(stage.worktree("feat-b")),
      (await stage.json<AgentView[]>("agents")).map(({ id }) => id),
    ]).toEqual([false, ["feat-a"]]);
    expect(await stage.ok("restore", "feat-b")).toMatch(/feat\/b is back/);
    expect(stage.repo.read(stage.worktree("feat-b"), "dirty")).toBe("d\n");
    expect(await stage.ok("remove", "feat-a")).toMatch(/feat-a: removed\n/);
    expect((await stage.status()).supervisor).toBe(null);
  });

  it("uses a worktree that is there, and leaves it when it goes", async () => {
    const mine = join(stage.repo.folder, "mine");
    stage.repo.git("worktree", "add", "-q", "-b", "feat/a", mine);
    stage.repo.write(mine, "notes", "dirty\n");
    stage.script("feat-a", [{ do: "write", path: "more", text: "x\n" }]);
    await stage.start("feat/a");
    const { agents } = await stage.allIn("done");
    expect(agents[0]?.worktree).toBe(mine);
    await stage.ok("purge", "--force");
    expect([
      stage.repo.read(mine, "notes"),
      stage.repo.read(mine, "more"),
      stage.repo.git("branch", "--list", "feat/a"),
    ]).toEqual(["dirty\n", "x\n", "+ feat/a"]);
  });

  it("sets worktrees up: copies, links, command, ports; git sees none of it", async () => {
    stage.repo.write(stage.root, ".env", "SECRET=1\n");
    stage.repo.write(stage.root, "node_modules/dep/index.js", "x\n");
    const config =
      '[worktree]\ncopy = [".env", "../outside"]\nsymlink = ["node_modules"]\nsetup = "echo set up $PWD > setup.out; echo to the log"\nport_base = 4100\n';
    stage.repo.write(stage.home, ".config/banksman/config.toml", config);
    stage.script("feat-a", [
      { do: "run", argv: ["sh", "-c", "echo $PORT > port; cat node_modules/dep/index.js .env > seen"] },
      { do: "commit", message: "All" },
    ]);
    await stage.start("feat/a,feat/b");
    const { agents } = await stage.allIn("done");
    const where = stage.worktree("feat-a");
    expect([
      stage.repo.read(where, "port"),
      stage.repo.read(where, "seen"),
      stage.repo.read(where, "setup.out"),
    ]).toEqual(["4100\n", "x\nSECRET=1\n", `set up ${where}\n`]);
    expect(readFileSync(`${agents[0]?.log}.set-up`, "utf8")).toBe("to the log\n");
    expect(stage.repo.git("ls-tree", "-r", "--name-only", "feat/a").split("\n").sort()).toEqual([
      "README",
      "port",
      "seen",
      "setup.out",
    ]);
    await stage.ok("purge", "--force");
    expect(
      stage.repo
        .git("for-each-ref", "--format=%(refname)", "refs/banksman/")
        .split("\n")
        .map((ref) => stage.repo.git("ls-tree", "-r", "--name-only", ref))
        .join(),
    ).not.toContain(".env");
  });

  it("starts all the same when set-up fails, and says so", async () => {
    stage.repo.write(
      stage.home,
      ".config/banksman/config.toml",
      '[worktree]\nsetup = "echo once >> ../tries; exit 7"\n',
    );
    const { code, err } = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([code, err]).toEqual([0, expect.stringMatching(/set-up .* failed with exit code 7, 2 times/)]);
    expect(readFileSync(join(stage.root, ".banksman/worktrees/tries"), "utf8")).toBe("once\nonce\n");
    await stage.allIn("done");
  });

  it("runs any command as an agent, by its exit code", async () => {
    stage.repo.write(
      stage.home,
      ".config/banksman/config.toml",
      `[clis.plain]\ncommand = ["sh", "-c", "cat > got-brief; banksman say status hello; test $BANKSMAN_AGENT = feat-a"]\n`,
    );
    stage.repo.write(stage.repo.folder, "task.md", "Build the thing.\n");
    await stage.bm(
      "start",
      "--headless",
      "--branches",
      "feat/a,feat/b",
      "--cli",
      "plain",
      "--brief",
      join(stage.repo.folder, "task.md"),
    );
    const { agents, needsYou } = await stage.allIn("done", "failed");
    expect(agents.map(({ state, evidence }) => [state, evidence])).toEqual([
      ["done", expect.any(String)],
      ["failed", "exit code 1: status published (2)"].map((each, i) =>
        i === 1 ? expect.stringMatching(/^exit code 1/) : each,
      ),
    ]);
    expect(needsYou).toMatchObject([{ id: "failed:feat-b", kind: "failed", agent: "feat-b" }]);
    expect(stage.repo.read(stage.worktree("feat-a"), "got-brief")).toMatch(
      /You are `feat-a`[\s\S]*# Your task\n\nBuild the thing\./,
    );
    expect(stage.repo.read(stage.worktree("feat-a"), ".banksman/brief.md")).toBe(
      stage.repo.read(stage.worktree("feat-a"), "got-brief"),
    );
  });

  it("gives an agent nothing of the user's environment but what it needs", async () => {
    stage.env = {
      ...stage.env,
      GITHUB_TOKEN: "canary-1",
      AWS_SECRET_ACCESS_KEY: "canary-2",
      MY_KEY: "canary-3",
      GIT_DIR: "/canary-4",
      NODE_OPTIONS: "--no-warnings",
    };
    stage.repo.write(
      stage.home,
      ".config/banksman/config.toml",
      '[clis.spy]\ncommand = ["sh", "-c", "env > environment"]\nenv = ["MY_KEY"]\n',
    );
    await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "spy");
    await stage.allIn("done");
    const text = stage.repo.read(stage.worktree("feat-a"), "environment") ?? "";
    const names = text
      .split("\n")
      .map((line) => line.split("=")[0])
      .filter(Boolean);
    const given = ["BANKSMAN_URL", "BANKSMAN_AGENT", "BANKSMAN_RUN", "GIT_PAW_BROKER_URL"];
    expect(names).toEqual(expect.arrayContaining([...given, "PATH", "HOME", "MY_KEY"]));
    expect([
      text.includes("canary-1"),
      text.includes("canary-2"),
      text.includes("canary-3"),
      text.includes("canary-4"),
      names.includes("NODE_OPTIONS"),
    ]).toEqual([false, false, true, false, false]);
  });

  it("says when an agent fails, and tries again when started again", async () => {
    stage.script("feat-a", [
      { do: "write", path: "half", text: "h\n" },
      { do: "crash", code: 3 },
    ]);
    stage.script("feat-b", [{ do: "end", how: "refused", text: "I will not" }]);
    await stage.bm("start", "--headless", "--branches", "feat/a,feat/b", "--cli", "scripted");
    const { agents } = await stage.allIn("failed");
    expect(agents.map(({ evidence, outcome }) => [evidence, outcome])).toEqual([
      [expect.stringMatching(/^exit code 3/), "failed"],
      ["I will not", "failed"],
    ]);
    stage.script("feat-a", [
      { do: "write", path: "half", text: "h\n" },
      { do: "say", text: "mended" },
    ]);
    await stage.bm("start", "--headless");
    await stage.until(({ agents: [first] }) => first?.state === "done");
    expect(stage.repo.read(stage.worktree("feat-a"), "half")).toBe("h\n");
  });
});

describe("after kill -9 of the supervisor", () => {
  it("brings everything back: agents, conversations, dirty and untracked files", async () => {
    stage.repo.write(stage.root, "README", "edited by me\n");
    stage.repo.write(stage.root, "untracked", "mine\n");
    for (const agent of ["feat-a", "feat-b"])
      stage.script(agent, [
        { do: "write", path: "one", text: `${agent}\n` },
        { do: "commit", message: "One" },
        { do: "write", path: "dirty", text: "d\n" },
        { do: "daemon" },
        { do: "wait" },
        { do: "commit", message: "Two" },
      ]);
    await stage.start("feat/a,feat/b");
    await eventually(() => ["feat-a", "feat-b"].every((agent) => existsSync(join(stage.worktree(agent), "dirty"))));
    await eventually(() => stage.marked().length === 4);
    await stage.killSupervisor();
    expect((await stage.status()).status).toBe("stopped");
    const url = (await stage.status()).broker;
    expect(await stage.start("")).toMatch(/Recovered/);
    const { supervisor } = await stage.status();
    expect(supervisor?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(url.enabled).toBe(true);
    expect(stage.marked().length).toBe(2);
    for (const agent of ["feat-a", "feat-b"]) await stage.ok("tell", agent, "go on");
    await stage.allIn("done");
    expect([commits("feat/a"), commits("feat/b")]).toEqual([
      ["Two", "One"],
      ["Two", "One"],
    ]);
    expect([stage.repo.read(stage.root, "README"), stage.repo.read(stage.root, "untracked")]).toEqual([
      "edited by me\n",
      "mine\n",
    ]);
    expect(stage.marked()).toEqual([]);
  });

  it("keeps the port, so that agents' URLs survive", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    const before = (await stage.status()).supervisor?.url;
    await stage.killSupervisor();
    await stage.start("");
    expect((await stage.status()).supervisor?.url).toBe(before);
  });

  it("finds the moved port for an agent that has the old one", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    const { supervisor } = await stage.status();
    const gone = supervisor?.url.replace(/:\d+$/, ":1");
    const agentEnv = { BANKSMAN_URL: `${gone}/a/whatever`, BANKSMAN_AGENT: "feat-a" };
    stage.env = { ...stage.env, ...agentEnv };
    // The token is not a real one, so it is refused: by our supervisor, which was found.
    const { code, err } = await stage.bmIn(stage.worktree("feat-a"), "say", "status", "hello");
    expect([code, err]).toEqual([1, expect.stringMatching(/token is not valid/)]);
  });
});

describe("purge", () => {
  it("shows what it would do, asks, saves everything, and forgets the session", async () => {
    stage.script("feat-a", [
      { do: "write", path: "committed", text: "c\n" },
      { do: "commit", message: "C" },
      { do: "write", path: "untracked", text: "u\n" },
      { do: "write", path: "README", text: "changed\n" },
    ]);
    await stage.start("feat/a,feat/b");
    await stage.allIn("done");
    expect((await stage.bm("purge")).err).toMatch(
      /would remove 2 agents\.\nNot a terminal, so it cannot ask: repeat with --force/,
    );
    const plan = await stage.json<object[]>("purge", "--dry-run");
    expect(plan).toMatchObject([
      { agent: "feat-a", files: 2, commits: 1, removesWorktree: true, deletesBranch: true },
      { agent: "feat-b", files: 0, commits: 1 },
    ]);
    expect(existsSync(stage.worktree("feat-a"))).toBe(true);
    const { removed } = await stage.json<{ removed: { agent: string; backup: string }[] }>("purge", "--force");
    expect(removed.map(({ backup }) => backup.replace(/\d{8}T\d+Z$/, "*"))).toEqual([
      "refs/banksman/backup/feat-a/*",
      "refs/banksman/backup/feat-b/*",
    ]);
    expect([
      existsSync(stage.worktree("feat-a")),
      stage.repo.git("branch", "--format=%(refname:short)"),
      stage.repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length,
    ]).toEqual([false, "main", 1]);
    expect(await stage.status()).toMatchObject({ session: null, status: "none", agents: [], supervisor: null });
    expect(await stage.json("restore", "list")).toMatchObject([{ branch: expect.stringMatching(/feat/) }, {}]);
    await stage.ok("restore", removed[0]?.backup ?? "");
    const files = ["committed", "untracked", "README"].map((name) => stage.repo.read(stage.worktree("feat-a"), name));
    expect(files).toEqual(["c\n", "u\n", "changed\n"]);
    expect((await stage.bm("purge", "--force")).err).toMatch(/no session/);
  });

  it("works though the supervisor is dead, and brings nobody back to life for it", async () => {
    stage.script("feat-a", [{ do: "write", path: "dirty", text: "d\n" }, { do: "stall" }]);
    await stage.start("feat/a");
    await eventually(() => existsSync(join(stage.worktree("feat-a"), "dirty")));
    const { launches } = {
      launches: (await stage.json<{ effect: string }[]>("log", "--effects")).filter(
        ({ effect }) => effect === "agent.launch",
      ).length,
    };
    await stage.killSupervisor();
    await stage.ok("purge", "--force");
    expect(
      (await stage.json<{ effect: string }[]>("log", "--effects")).filter(({ effect }) => effect === "agent.launch")
        .length,
    ).toBe(launches);
    expect((await stage.json<{ files: number }[]>("restore", "list"))[0]?.files).toBe(1);
  });

  it("keeps an agent whose work it cannot save", async () => {
    stage.script("feat-a", [
      {
        do: "run",
        argv: ["sh", "-c", "git init -q nested && cd nested && echo x > f && git add . && git commit -qm inner"],
      },
    ]);
    await stage.start("feat/a,feat/b");
    await stage.allIn("done");
    const { code, err, out } = await stage.bm("purge", "--force");
    expect([code, err, out]).toEqual([
      1,
      expect.stringMatching(/feat-a: kept\. .*repositories inside.*`nested`/),
      expect.stringMatching(/feat-b: removed/),
    ]);
    expect(existsSync(join(stage.worktree("feat-a"), "nested/f"))).toBe(true);
    expect((await stage.json<AgentView[]>("agents")).map(({ id }) => id)).toEqual(["feat-a"]);
  });
});

it("removes from an agent's log what would let somebody in", async () => {
  stage.repo.write(
    stage.home,
    ".config/banksman/config.toml",
    '[clis.leaky]\ncommand = ["sh", "-c", "echo my url is $BANKSMAN_URL; echo $BANKSMAN_URL >&2; echo $BANKSMAN_URL > url"]\n',
  );
  await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "leaky");
  const { agents } = await stage.allIn("done");
  const token = /\/a\/(.+)\n/.exec(stage.repo.read(stage.worktree("feat-a"), "url") ?? "")?.[1] ?? "none";
  expect(token.length).toBeGreaterThan(20);
  const everything = [
    agents[0]?.log ?? "",
    join(stage.folder, "supervisor.log"),
    join(stage.folder, "journal.db"),
    join(stage.folder, "run.json"),
  ]
    .filter(existsSync)
    .map((path) => readFileSync(path, "latin1"))
    .join();
  expect([everything.includes(token), everything.includes("my url is")]).toEqual([false, true]);
});

it("does not follow an agent's link out of its worktree when it writes the brief", async () => {
  writeFileSync(join(stage.repo.folder, "victim"), "keep\n");
  stage.script("feat-a", [
    { do: "run", argv: ["sh", "-c", `rm -rf .banksman && ln -s ${stage.repo.folder} .banksman`] },
    { do: "crash", code: 1 },
  ]);
  await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
  await stage.allIn("failed");
  await stage.bm("start", "--headless");
  const { agents } = await stage.allIn("failed");
  expect(agents[0]?.evidence).toMatch(/a link leads out of the folder/);
  expect(existsSync(join(stage.repo.folder, "brief.md"))).toBe(false);
});
