import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, eventually, Stage, untilGone } from "../stage.ts";
import { Terminal } from "../terminal.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const start = (branches: string, ...more: string[]) =>
  stage.ok("start", ...(branches === "" ? [] : ["--branches", branches, "--cli", "scripted"]), ...more);
const runs = () => stage.panes().map(({ run }) => run);
const screen = (agent: string) => stage.ok("peek", agent);
const shows = (agent: string, text: string | RegExp) =>
  eventually(() => {
    const shown = stage.screen(agent);
    return typeof text === "string" ? shown.includes(text) : text.test(shown);
  });

describe.skipIf(!HAS_TMUX)("a session in tmux", () => {
  it("opens a pane for each agent, gives each its brief, and says how to look at it", async () => {
    const said = await start("feat/a,feat/b");
    expect(said).toMatch(/Look at it: tmux -S \S+ attach -t bm-app-/);
    const { agents } = await stage.allIn("done");
    expect(agents.map(({ pane }) => pane?.position)).toEqual([1, 2]);
    expect(stage.panes().map(({ title, dead }) => [title, dead])).toEqual([
      ["0: dashboard", false],
      ["1: feat/a", false],
      ["2: feat/b", false],
    ]);
    expect(stage.repo.git("log", "--format=%s", "main..feat/a")).toBe("Add a note by feat-a");
    expect(await stage.ok("attach")).toMatch(/^tmux -S \S+ attach -t bm-app-/);
  });

  it("a second start opens nothing twice", async () => {
    await start("feat/a,feat/b");
    const before = runs();
    expect(await start("")).toMatch(/Already running/);
    expect(runs()).toEqual(before);
    // Nobody counts what a CLI in a pane spends.
    expect((await stage.status()).agents.map(({ usage }) => usage)).toEqual([
      { tokens: null, cost: null },
      { tokens: null, cost: null },
    ]);
  });

  it("types what an agent is told, as it is, and says that it was seen", async () => {
    stage.script("feat-a", [{ do: "wait" }, { do: "stall" }]);
    await start("feat/a");
    const text = "-x; `id` $(touch owned) #{pane_id} #(touch owned)\n\ttab 🌱;";
    await stage.ok("tell", "feat-a", "--", text);
    await shows("feat-a", "heard:");
    expect(await screen("feat-a")).toContain("#(touch owned)");
    await eventually(
      async () => (await stage.json<{ delivered: boolean }[]>("inbox", "feat-a"))[0]?.delivered === true,
    );
    expect(existsSync(join(stage.worktree("feat-a"), "owned"))).toBe(false);
  });

  it("waits with typing while somebody scrolls, and then does it once", async () => {
    stage.inRealTime();
    stage.script("feat-a", [{ do: "wait" }, { do: "wait" }, { do: "stall" }]);
    await start("feat/a");
    const pane = stage.panes().find(({ title }) => title.endsWith("feat/a"))?.id ?? "";
    stage.tmux("copy-mode", "-t", pane);
    await stage.ok("tell", "feat-a", "while you scroll");
    expect(await stage.json("inbox", "feat-a")).toMatchObject([{ delivered: false }]);
    stage.tmux("send-keys", "-t", pane, "-X", "cancel");
    await shows("feat-a", "while you scroll");
    await stage.ok("tell", "feat-a", "second");
    await shows("feat-a", "second");
    expect((await screen("feat-a")).match(/heard: .*while you scroll/g)?.length).toBe(1);
  });

  it("asks a person what an agent asks on its screen, and presses the key for the answer", async () => {
    stage.script("feat-a", [
      { do: "ask", command: "echo yes > allowed.txt" },
      { do: "ask", command: "echo no > denied.txt" },
      { do: "ask", command: "echo third > third.txt" },
    ]);
    await start("feat/a");
    const question = async (text: string) =>
      (await stage.until(({ needsYou }) => needsYou.some((need) => need.text.includes(text)))).needsYou[0]?.id ?? "";
    await stage.ok("answer", await question("allowed"), "allow");
    await stage.ok("answer", await question("denied"), "deny");
    await question("third");
    // The third is answered by hand, in the pane itself.
    stage.tmux("send-keys", "-t", stage.panes().find(({ title }) => title.endsWith("feat/a"))?.id ?? "", "1");
    await stage.until(({ needsYou }) => needsYou.length === 0);
    await shows("feat-a", "the script is done");
    const made = ["allowed.txt", "denied.txt", "third.txt"].map((name) =>
      stage.repo.read(stage.worktree("feat-a"), name),
    );
    expect(made).toEqual(["yes\n", null, "third\n"]);
  });

  it("gives a pane nothing of the user's or tmux's environment", async () => {
    stage.env = { ...stage.env, CANARY_SECRET: "user" };
    stage.script("feat-a", [{ do: "run", argv: ["sh", "-c", "env > env.txt"] }]);
    stage.tmux("-f", "/dev/null", "new-session", "-d", "-s", "mine", "sleep 1000");
    stage.tmux("set-environment", "-g", "CANARY_TMUX", "tmux");
    await start("feat/a");
    await shows("feat-a", "the script is done");
    const names = (stage.repo.read(stage.worktree("feat-a"), "env.txt") ?? "")
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.filter((name) => /CANARY|^TMUX/.test(name ?? ""))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["BANKSMAN_URL", "BANKSMAN_AGENT", "PATH", "TERM"]));
  });

  it("keeps no token in a pane's log", async () => {
    stage.script("feat-a", [
      { do: "run", argv: ["sh", "-c", "echo url $BANKSMAN_URL"] },
      { do: "say", text: "said" },
    ]);
    await start("feat/a");
    await shows("feat-a", "the script is done");
    const log = () => readFileSync(join(stage.root, ".banksman/logs", stage.sessionName() ?? "", "feat-a.log"), "utf8");
    await eventually(() => log().includes(`/a/${"*".repeat(32)}`));
    expect(log()).not.toMatch(/\/a\/[A-Za-z0-9_-]{32}/);
  });

  it("takes agents in and out while it runs", async () => {
    await start("feat/a");
    await stage.ok("add", "feat/b", "feat/c", "--cli", "scripted");
    await stage.allIn("done");
    expect(stage.panes().map(({ title }) => title)).toEqual(["0: dashboard", "1: feat/a", "2: feat/b", "3: feat/c"]);
    await stage.ok("remove", "feat-b", "--force");
    await eventually(
      () =>
        stage
          .panes()
          .map(({ title }) => title)
          .join() === "0: dashboard,1: feat/a,2: feat/c",
    );
    await stage.ok("stop");
    expect(() => stage.panes()).toThrow();
    expect(stage.marked()).toEqual([]);
  });

  it("with a supervisor has a console that answers, directs and asks, as the seed has it", async () => {
    stage.script("feat-a", [{ do: "wait" }, { do: "stall" }]);
    stage.script("feat-b", [{ do: "blocked", needs: "the token", from: "feat-a" }, { do: "stall" }]);
    await start("feat/a,feat/b", "--supervisor");
    await stage.until(({ agents }) => agents[1]?.state === "blocked");
    expect(stage.panes().map(({ title }) => title)).toEqual([
      "0: supervisor",
      "1: dashboard",
      "2: feat/a",
      "3: feat/b",
    ]);
    const pane = stage.panes()[0]?.id ?? "";
    const console_ = async (line: string, shown: string) => {
      stage.tmux("send-keys", "-t", pane, "-l", line);
      stage.tmux("send-keys", "-t", pane, "Enter");
      await eventually(() => stage.tmux("capture-pane", "-p", "-J", "-t", pane).includes(shown));
    };
    const log = async () => (await stage.json<{ entries: unknown[] }>("log")).entries.length;
    const before = await log();
    await console_("anything blocked?", "feat-b  blocked");
    await console_("how's feat-a going?", "feat-a  idle");
    await console_("should feat-b land before feat-a?", "feat-a first: feat-b is blocked on it.");
    expect(await log()).toBe(before);
    await console_("tell feat-a to use bcrypt", "Told feat-a (message");
    await shows("feat-a", "[directive] use bcrypt");
    await console_("should we rewrite it all?", "it is an open question now");
    expect((await stage.status()).needsYou).toMatchObject([{ kind: "question", agent: "supervisor" }]);
  });

  it("is watched on 80×24: roster, what needs you, filtered messages, answers; quitting stops nothing", async () => {
    stage.script("feat-a", [{ do: "status", text: "at it" }, { do: "question", text: "Which one?" }, { do: "stall" }]);
    await start("feat/a");
    await stage.until(({ needsYou }) => needsYou.length === 1);
    const terminal = new Terminal(stage, "watch");
    const { keys, text } = terminal;
    try {
      await eventually(() => /q1 feat-a: Which one\?/.test(text()));
      expect(text()).toMatch(/1 agent, 1 waiting[\s\S]*feat-a +waiting +scripted/);
      await eventually(() => text().includes("· status · feat-a · working: at it"));
      keys("6");
      await eventually(() => !text().includes("· status ·") && text().includes("· question · feat-a"));
      // One key after the other, each once the one before is seen: a burst would be one input to the program. The
      // question is looked at while only questions are shown: a look at its worktree may come later than its words.
      keys("Enter");
      await eventually(() => text().includes('"type": "agent.question"'));
      keys("Escape");
      await eventually(() => !text().includes('"type": "agent.question"'));
      keys("a");
      await eventually(() => text().includes("· status ·"));
      keys("r");
      await eventually(() => text().includes("answer ▏"));
      keys("-l", "q1 that one");
      await eventually(() => text().includes("answer q1 that one▏"));
      keys("Enter");
      await stage.until(({ needsYou }) => needsYou.length === 0);
      keys("q");
      await terminal.shows("ended with 0");
      expect((await stage.status()).supervisor).not.toBe(null);
    } finally {
      terminal.close();
    }
  });

  it("is watched on 80×8 too; a burst of keys counts, a paste is text, and a background process that is back is seen", async () => {
    const agents = ["a", "b", "c", "d"];
    for (const each of agents)
      stage.script(`feat-${each}`, [{ do: "question", text: `Is it ${each}?` }, { do: "stall" }]);
    await start(agents.map((each) => `feat/${each}`).join(","));
    await stage.until(({ needsYou }) => needsYou.length === 4);
    await stage.ok("pause", "feat-a");
    const first = (await stage.status()).needsYou[0]?.text ?? "";
    stage.env.NO_COLOR = "1";
    const terminal = new Terminal(stage, "watch");
    const bytes = join(stage.repo.folder, "bytes");
    terminal.record(bytes);
    try {
      const { keys, text, shows } = terminal;
      await shows(/feat-a +waiting +scripted paused · /);
      terminal.resize(80, 8);
      await shows("and 3 more: banksman questions");
      expect(text().trimEnd().split("\n")).toEqual([
        expect.stringMatching(/ active · 4 agents, 4 waiting$/),
        expect.stringMatching(/^q1 feat-.: Is it .\?$/),
        "and 3 more: banksman questions",
        expect.stringMatching(/^feat-a +waiting/),
        expect.stringMatching(/^feat-b +waiting/),
        "and 2 more: banksman status",
        expect.stringMatching(/^q quit · t tell/),
      ]);
      terminal.resize(80, 24);
      await shows(/^feat-d +waiting/m);
      keys("6", "Up", "Up", "Up", "Up", "Enter");
      await shows(`"question": "${first}"`);
      keys("Escape");
      await eventually(() => !text().includes('"question":'));
      terminal.paste("qq\nt");
      keys("t");
      await shows("tell ▏");
      terminal.paste("feat-a one\ntwo");
      await shows("tell feat-a one ⏎ two▏");
      keys("Enter");
      await shows("Told feat-a");
      expect(await stage.ok("log", "--json")).toContain("one\\ntwo");
      await stage.killSupervisor();
      await shows(/^No background process/m);
      await stage.ok("start");
      await eventually(() => !/^No background process/m.test(text()));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
      expect(readFileSync(bytes, "utf8")).not.toMatch(/\u001b\[[0-9;]*3[0-7]m/);
    } finally {
      terminal.close();
    }
  });

  it("leaves a session of the same name that is not ours", async () => {
    const name = JSON.parse(
      await stage.ok("start", "--dry-run", "--json", "--branches", "feat/a", "--cli", "scripted"),
    ) as { session: string };
    stage.tmux("-f", "/dev/null", "new-session", "-d", "-s", name.session, "sleep 1000");
    const { code, err } = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted");
    expect([code, err]).toEqual([1, expect.stringContaining("that banksman did not make")]);
    expect(stage.panes().length).toBe(1);
  });
});

describe.skipIf(!HAS_TMUX)("is brought back", () => {
  const work = async () => {
    stage.script("feat-a", [
      { do: "write", path: "dirty", text: "d\n" },
      { do: "status", text: "at it" },
      { do: "stall" },
    ]);
    stage.script("feat-b", [{ do: "status", text: "nothing to do" }]);
    await start("feat/a,feat/b");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
  };
  const intact = () => {
    expect(stage.repo.read(stage.worktree("feat-a"), "dirty")).toBe("d\n");
    expect(stage.panes().map(({ title, dead }) => [title, dead])).toEqual([
      ["0: dashboard", false],
      ["1: feat/a", false],
      ["2: feat/b", false],
    ]);
  };

  it("after kill -9 of the supervisor: the same agents in the same panes, which never stopped", async () => {
    await work();
    const before = runs();
    await stage.killSupervisor();
    const { status, supervisor, agents } = await stage.status();
    expect([status, supervisor, agents[0]?.state]).toEqual(["active", null, "working"]);
    await start("");
    intact();
    expect(runs()).toEqual(before);
    await stage.ok("tell", "feat-b", "still there?");
    await shows("feat-b", "still there?");
  });

  it("after kill -9 of the supervisor while an agent waits for an answer, which it gets from the next one", async () => {
    stage.script("feat-a", [{ do: "question", text: "Which?" }, { do: "status", text: "got it" }, { do: "stall" }]);
    await start("feat/a");
    await stage.until(({ needsYou }) => needsYou.length === 1);
    await stage.killSupervisor();
    await start("");
    const { needsYou } = await stage.status();
    await stage.ok("answer", needsYou[0]?.id ?? "", "That one");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("got it") === true);
    expect(await screen("feat-a")).toContain("question: That one");
  });

  it("after kill -9 of the tmux server: new panes, the same worktrees, the same brief", async () => {
    await work();
    const brief = stage.repo.read(stage.worktree("feat-a"), ".banksman/brief.md");
    stage.tmux("kill-server");
    await stage.allIn("stopped");
    await start("");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
    intact();
    expect(stage.repo.read(stage.worktree("feat-a"), ".banksman/brief.md")).toBe(brief);
  });

  it("after both, and after a reboot", async () => {
    await work();
    const pid = await stage.supervisorPid();
    const { agents } = await stage.status();
    stage.tmux("kill-server");
    process.kill(pid, "SIGKILL");
    await untilGone(pid);
    for (const { pid: agent } of agents) if (agent !== null) await untilGone(agent);
    await eventually(() => stage.marked().length === 0);
    await start("");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
    intact();
  });

  it("after serve --restart without touching an agent", async () => {
    await work();
    const before = runs();
    await stage.ok("serve", "--restart");
    intact();
    expect(runs()).toEqual(before);
  });
});

it.skipIf(!HAS_TMUX)("30 agents lie in two windows, and every brief arrives", async () => {
  const branches = Array.from({ length: 30 }, (_, i) => `feat/n${i}`);
  await start(branches.join(","));
  const { agents } = await stage.allIn("done");
  expect(agents.map(({ pane }) => pane?.position)).toEqual(branches.map((_, i) => i + 1));
  expect(new Set(stage.tmux("list-panes", "-a", "-F", "#{window_id}").split("\n")).size).toBe(2);
  for (const branch of branches) expect(stage.repo.git("log", "--format=%s", `main..${branch}`)).toMatch(/Add a note/);
});

it.skipIf(!HAS_TMUX)("a program that cannot be started is said to be so, with its pane to look at", async () => {
  const folder = join(stage.home, ".config/banksman");
  const path = join(stage.home, "ends");
  writeFileSync(path, "#!/bin/sh\necho no model here >&2\nexit 4\n", { mode: 0o755 });
  stage.repo.write(folder, "config.toml", `[clis.ends]\ncommand = ["${path}"]\n`);
  const { code, err } = await stage.bm("start", "--branches", "feat/a", "--cli", "ends");
  expect([code, err]).toEqual([1, expect.stringMatching(/exit code 4: no model here/)]);
  expect(stage.panes().find(({ title }) => title.endsWith("feat/a"))?.dead).toBe(true);
  expect(readFileSync(join(stage.root, ".banksman/logs", stage.sessionName() ?? "", "feat-a.log"), "utf8")).toContain(
    "no model here",
  );
});

describe.skipIf(!HAS_TMUX || process.platform !== "linux")("a CLI that ends in a bare shell", () => {
  /** The configured command: its program, and afterwards a shell. `attempts` is written once for each. */
  const wrapped = (program: string) => {
    const line = `echo tried >> "$HOME/attempts"; ${program}; echo; exec env PS1='left $ ' sh -i`;
    const text = `[clis.scripted]\ncommand = ["sh", "-c", ${JSON.stringify(line)}]\nenv = ["BANKSMAN_SCRIPTS"]\n`;
    stage.repo.write(stage.home, ".config/banksman/config.toml", text);
  };
  const attempts = () => (stage.repo.read(stage.home, "attempts") ?? "").trim().split("\n").length;
  const agent = () => `${process.execPath} ${join(BIN, "../scripted-agent.cjs")}`;

  it("before it has its brief is launched once more, in the same pane", async () => {
    wrapped(`[ -e "$HOME/second" ] && ${agent()} || touch "$HOME/second"`);
    await start("feat/a");
    const { agents } = await stage.allIn("done");
    expect([attempts(), agents.length, stage.panes().length]).toEqual([2, 1, 2]);
    expect(stage.repo.git("log", "--format=%s", "main..feat/a")).toBe("Add a note by feat-a");
  });

  it("a second time is a person's: nothing is typed into that shell", async () => {
    wrapped("true");
    await stage.bm("start", "--branches", "feat/a", "--cli", "scripted");
    const { agents } = await stage.until(({ agents: [first] }) => first?.state === "waiting" && attempts() === 2);
    expect(agents[0]?.evidence).toMatch(/left a bare shell: attach and look/);
    const shown = stage.tmux("capture-pane", "-p", "-t", stage.panes().at(-1)?.id ?? "").trim();
    expect(shown).toMatch(/^left \$$/);
    expect(attempts()).toBe(2);
  });

  it("after its work is not started again", async () => {
    stage.script("feat-a", [
      { do: "status", text: "at it" },
      { do: "end", how: "ok", text: "over" },
    ]);
    wrapped(agent());
    await start("feat/a");
    await stage.until(({ agents: [first] }) => first?.evidence.includes("bare shell") === true);
    expect(attempts()).toBe(1);
  });
});
