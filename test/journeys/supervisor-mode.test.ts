import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { Terminal } from "../terminal.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const configure = (text: string) => stage.repo.write(stage.root, ".banksman/config.toml", text);
const planned = async (...flags: string[]) => {
  const plan = await stage.ok("start", "--dry-run", "--json", "--branches", "feat/a", "--cli", "scripted", ...flags);
  return (JSON.parse(plan) as { panes: { title: string }[] }).panes.map(({ title }) => title);
};

describe.skipIf(!HAS_TMUX)("a session has a supervisor in pane 0", () => {
  const WITH = ["0: supervisor", "1: dashboard", "2: feat/a"];
  const WITHOUT = ["0: dashboard", "1: feat/a"];

  it("if the command line says so, else if the config does, else not", async () => {
    expect(await planned()).toEqual(WITHOUT);
    expect(await planned("--supervisor")).toEqual(WITH);
    configure("[supervisor]\nenabled = true\n");
    expect(await planned()).toEqual(WITH);
    expect(await planned("--no-supervisor")).toEqual(WITHOUT);
    expect(await planned("--headless")).toEqual([]);
    configure("[supervisor]\nenabled = false\n");
    expect(await planned()).toEqual(WITHOUT);
    expect(await planned("--supervisor")).toEqual(WITH);
  });

  it("and says what contradicts what, before anything is started", async () => {
    configure("[broker]\nenabled = false\n");
    for (const [flags, said] of [
      [["--supervisor", "--no-supervisor"], /--supervisor and --no-supervisor contradict each other/],
      [["--no-supervisor", "--supervisor"], /--supervisor and --no-supervisor contradict each other/],
      [["--headless", "--supervisor"], /--supervisor wants a pane, and --headless has none/],
      [["--supervisor"], /needs the broker[\s\S]*--no-supervisor/],
      [["--specs", "a", "--all-specs"], /--specs names some specs/],
    ] as const) {
      const ran = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted", ...flags);
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(said)]);
    }
    expect((await stage.status()).status).toBe("none");
  });

  it("or if a person says so on a terminal, where no is the default", async () => {
    const start = () => new Terminal(stage, "start", "--branches", "feat/a", "--cli", "scripted");
    let terminal = start();
    try {
      await terminal.shows("Open a command console above the agents");
      terminal.keys("C-c");
      await terminal.shows("ended with 2");
      expect((await stage.status()).status).toBe("none");
      terminal.close();
      terminal = start();
      await terminal.shows("Open a command console above the agents");
      terminal.keys("y");
      await terminal.shows(/0: supervisor/);
      await stage.allIn("done");
      expect(stage.panes().map(({ title }) => title)).toEqual(WITH);
    } finally {
      terminal.close();
    }
  });
});

describe.skipIf(!HAS_TMUX)("a model in pane 0", () => {
  beforeEach(() => stage.repo.write(stage.home, ".config/banksman/config.toml", '[supervisor]\ncli = "scripted"\n'));
  const start = (...more: string[]) =>
    stage.ok("start", "--branches", "feat/a", "--cli", "scripted", "--supervisor", ...more);
  const shell = (line: string) => ({ do: "run", argv: ["sh", "-c", line] }) as const;
  const kept = (name: string) => stage.repo.read(stage.home, name) ?? "";
  const panes = () => stage.panes().map(({ title, run, dead }) => [title, run.split(".")[1] ?? run, dead]);
  const screen = () => stage.ok("peek", "supervisor");

  it("has its own brief, rights, log and a clean environment, and stands in the person's checkout", async () => {
    stage.env = { ...stage.env, CANARY_SECRET: "user" };
    stage.script("supervisor", [
      shell(`pwd > ${stage.home}/where; env > ${stage.home}/env; banksman status --json > ${stage.home}/seen`),
      shell(`banksman peek feat-a > ${stage.home}/peeked; banksman stop > ${stage.home}/stopped 2>&1; true`),
      { do: "status", text: "supervising" },
      { do: "stall" },
    ]);
    const said = await start();
    expect(said).toMatch(/with 1 agent:\n {2}supervisor +\S+ +scripted[^\n]*\n {2}feat-a /);
    const { agents } = await stage.until(({ agents: [first] }) => first?.evidence.includes("supervising") === true);
    expect(agents[0]).toMatchObject({ id: "supervisor", branch: null, cli: "scripted", pane: { position: 0 } });
    expect(panes()).toEqual([
      ["0: supervisor", "supervisor", false],
      ["1: dashboard", expect.any(String), false],
      ["2: feat/a", "feat-a", false],
    ]);
    expect(kept("where")).toBe(`${stage.root}\n`);
    expect(JSON.parse(kept("seen"))).toMatchObject({ status: "active" });
    expect(kept("peeked")).toContain("scripted agent for feat-a");
    expect(kept("stopped")).toContain("A token of the role supervisor may not ask for stop");
    expect(kept("env")).not.toMatch(/CANARY|^TMUX/m);
    expect(stage.repo.read(stage.root, ".banksman/brief.md")).toMatch(
      /^# How you supervise[\s\S]*`feat-a` on branch `feat\/a`, a scripted/,
    );
    const log = `.banksman/logs/${stage.sessionName()}/supervisor.log`;
    await eventually(() => stage.repo.read(stage.root, log)?.includes("scripted agent for supervisor") === true);
    expect(stage.repo.git("status", "--porcelain")).toBe("");
  });

  it("is told who asks, answers and directs; a permission is left to the person", async () => {
    stage.script("supervisor", [
      { do: "wait" },
      shell('banksman answer q1 "RS256"; banksman tell feat-a "and sign with it"'),
      { do: "wait" },
      shell(`banksman answer q2 allow > ${stage.home}/refused 2>&1; true`),
      { do: "stall" },
    ]);
    stage.script("feat-a", [
      { do: "question", text: "RS256 or HS256?" },
      { do: "wait" },
      { do: "blocked", needs: "a key", from: "feat-b" },
      { do: "ask", command: "true" },
      { do: "stall" },
    ]);
    await start();
    await eventually(async () => (await stage.ok("peek", "feat-a")).includes("[directive] and sign with it"));
    expect(await stage.ok("peek", "feat-a")).toContain("question: RS256");
    await eventually(() => kept("refused") !== "" && kept("refused").includes("person"));
    expect(kept("refused")).toMatch(/q2 is for a person to answer/);
    expect((await stage.status()).needsYou).toMatchObject([{ id: "q2", kind: "approval" }]);
  });

  it("verifies with the same command as a person, and lands only if a person has allowed it", async () => {
    configure('[supervisor]\ntest_command = "test ! -e broken"\n');
    stage.repo.commit(stage.root, "gates");
    await stage.ok("trust", "--yes");
    const land = "banksman land feat/a --yes";
    stage.script("supervisor", [
      { do: "wait" },
      shell(`banksman verify feat-a > ${stage.home}/verified 2>&1; ${land} > ${stage.home}/refused 2>&1; true`),
      { do: "wait" },
      shell(`${land} > ${stage.home}/landed 2>&1; true`),
      { do: "stall" },
    ]);
    stage.script("feat-a", [
      { do: "write", path: "new", text: "x" },
      { do: "commit", message: "new" },
      { do: "question", text: "Is it good?" },
      { do: "blocked", needs: "to be landed", from: "supervisor" },
      { do: "stall" },
    ]);
    await start();
    await eventually(() => kept("refused").includes("may not ask"));
    expect(kept("verified")).toMatch(/pass +test/);
    expect(kept("refused")).toContain("A token of the role supervisor may not ask for land");
    stage.repo.write(stage.home, ".config/banksman/config.toml", '[supervisor]\ncli = "scripted"\nmay = ["land"]\n');
    await stage.ok("answer", "q1", "yes");
    await eventually(() => kept("landed").includes("landed   feat/a"));
    expect(stage.repo.git("ls-tree", "--name-only", "main")).toContain("new");
  });

  it("is brought back with the others, and goes with them", async () => {
    stage.script("supervisor", [{ do: "status", text: "supervising" }, { do: "stall" }]);
    stage.script("feat-a", [{ do: "stall" }]);
    const up = () => stage.until(({ agents: [first] }) => first?.evidence.includes("supervising") === true);
    await start();
    await up();
    const before = stage.panes().map(({ run }) => run);
    await stage.killSupervisor();
    await stage.ok("start");
    expect(stage.panes().map(({ run }) => run)).toEqual(before);
    stage.tmux("kill-server");
    await stage.allIn("stopped");
    await stage.ok("start");
    await up();
    expect(panes().map(([title]) => title)).toEqual(["0: supervisor", "1: dashboard", "2: feat/a"]);
    expect(stage.panes()[0]?.run).not.toBe(before[0]);
    // A person who ended it by hand gets it back by asking.
    stage.tmux("send-keys", "-t", stage.panes()[0]?.id ?? "", "C-c");
    await stage.until(({ agents: [first] }) => first?.state === "failed");
    await stage.ok("start");
    await up();
    await stage.ok("stop");
    expect([stage.marked(), (await stage.status()).agents.map(({ state }) => state)]).toEqual([
      [],
      ["stopped", "stopped"],
    ]);
    expect(await stage.ok("purge", "--force")).not.toContain("supervisor");
    expect([stage.repo.read(stage.root, "README") !== null, (await stage.status()).agents]).toEqual([true, []]);
  });

  it("follows the user's own skill, and one that cannot be used starts nothing", async () => {
    const skill = (text: string) => stage.repo.write(stage.home, ".config/banksman/skills/supervisor/SKILL.md", text);
    skill("---\nname: supervisor\ndescription: Mine.\n---\nWatch {{PROJECT_NAME}} closely.\n");
    await start();
    await eventually(async () => (await screen()).includes("[pasted"));
    expect(stage.repo.read(stage.root, ".banksman/brief.md")).toMatch(/^Watch app closely\.\n\n# Your agents/);
    await stage.ok("stop");
    await stage.ok("purge", "--force");
    skill("---\nname: supervisor\ndescription: Mine.\n---\nWatch {{PROJET_NAME}}.\n");
    const ran = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted", "--supervisor");
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/no placeholder \{\{PROJET_NAME\}\}/)]);
    expect((await stage.status()).status).toBe("none");
  });

  it("is chosen by its user: a repository's word counts once it is trusted", async () => {
    stage.repo.write(stage.home, ".config/banksman/config.toml", "");
    configure('[supervisor]\ncli = "scripted"\n');
    const plan = async () =>
      (await stage.bm("start", "--dry-run", "--branches", "feat/a", "--cli", "scripted", "--supervisor")).out;
    expect(await plan()).not.toContain("supervisor →");
    await stage.ok("trust", "--yes");
    expect(await plan()).toMatch(/supervisor → scripted {2}\S+ {2}\(pane 0\)/);
    configure('[supervisor]\ncli = "nope"\n');
    await stage.ok("trust", "--yes");
    const ran = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted", "--supervisor");
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/no CLI called `nope`/)]);
  });
});
