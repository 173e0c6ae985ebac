import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, eventually, Stage } from "../stage.ts";
import { Terminal } from "../terminal.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const config = (text: string) => stage.repo.write(stage.home, ".config/banksman/config.toml", text);
/** What a person types into the console, a line each. */
const typed = (...lines: string[]): string =>
  execFileSync(process.execPath, [BIN, "console"], {
    cwd: stage.root,
    env: stage.env,
    encoding: "utf8",
    input: `${lines.join("\n")}\n`,
  });

describe("the console", () => {
  it("lists and answers questions and permission requests", async () => {
    stage.script("feat-a", [{ do: "question", text: "Which?" }, { do: "ask", command: "touch made" }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.until(({ needsYou }) => needsYou.length === 1);
    expect(typed("/questions", "y")).toMatch(/q1 feat-a: Which\?[\s\S]*No permission request is open\./);
    expect(typed("/answer q1 that one")).toMatch(/q1 answered\. feat-a gets the answer\./);
    await stage.until(({ needsYou }) => needsYou.some(({ kind }) => kind === "approval"));
    expect(typed("y")).toMatch(/q2: allowed\. feat-a continues\./);
    await stage.until(({ needsYou }) => needsYou.length === 0);
    expect(typed("/xyzzy")).toMatch(/Unknown command \/xyzzy\. Type \/help for the list\./);
  });

  it("says of a question in words that allow is no answer to it, and of one that was answered that it was", async () => {
    stage.script("feat-a", [{ do: "question", text: "Which?" }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.until(({ needsYou }) => needsYou.length === 1);
    expect(typed("allow q1")).toMatch(/q1 is a question, not a permission request; answer it in words/);
    expect(typed("tell nobody to stop")).toMatch(/There is no agent called `nobody`\. Agents: feat-a\./);
    await stage.ok("answer", "q1", "that one");
    expect((await stage.bm("answer", "q1", "the other")).err).toMatch(/q1 was answered already: `that one`\./);
    expect((await stage.bm("answer", "q7", "x")).err).toMatch(/There is no question `q7`/);
  });

  it.skipIf(!HAS_TMUX)(
    "rings the bell for what needs a person, shows it once, and ends at once",
    async () => {
      stage.script("feat-a", [{ do: "wait" }, { do: "question", text: "Which?" }, { do: "stall" }]);
      await stage.start("feat/a");
      const terminal = new Terminal(stage, "console");
      try {
        await terminal.shows("banksman console");
        const bytes = join(stage.repo.folder, "bytes");
        terminal.record(bytes);
        await stage.ok("tell", "feat-a", "ask");
        await terminal.shows("q1 feat-a: Which?");
        await terminal.shows(/answer q1/);
        await stage.ok("tell", "feat-a", "and more");
        await terminal.shows("and more");
        expect(terminal.text().match(/Which\?/g)).toHaveLength(1);
        const rung = readFileSync(bytes, "utf8");
        expect([rung.includes("\u0007"), rung.includes("�")]).toEqual([true, false]);
        // It waits for news at this moment, from one that will not answer.
        process.kill(await stage.supervisorPid(), "SIGSTOP");
        terminal.keys("C-d");
        await terminal.shows("ended with 0");
      } finally {
        terminal.close();
      }
    },
    25_000,
  );

  it.skipIf(!HAS_TMUX)("shows the end of one agent's screen", async () => {
    stage.script("feat-a", [{ do: "say", text: "reading the parser" }, { do: "stall" }]);
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
    await eventually(() => stage.screen("feat-a").includes("reading the parser"));
    expect(typed("how's feat-a?")).toMatch(/^ *feat-a +[\s\S]*\n {2}│ .*reading the parser/);
  });

  it("tells of one agent its unread messages, and asks in nobody's name", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    await stage.ok("pause", "feat-a");
    await stage.ok("tell", "feat-a", "use bcrypt");
    expect(typed("how's feat-a?")).toMatch(/feat-a +working[\s\S]*unread from supervisor: \[directive\] use bcrypt/);
    expect(typed("should feat-a land before lunch?")).toMatch(/open question/);
    const { agents, needsYou } = await stage.status();
    expect([agents.map(({ id }) => id), needsYou.length]).toEqual([["feat-a"], 1]);
  });
});

describe("answers", () => {
  it("go to several at once, and allow a command for the session", async () => {
    const asks = [{ do: "ask", command: "touch made" }, { do: "ask", command: "touch made" }, { do: "stall" }] as const;
    for (const agent of ["feat-a", "feat-b"]) stage.script(agent, asks);
    await stage.start("feat/a,feat/b");
    await stage.until(({ needsYou }) => needsYou.length === 2);
    expect((await stage.bm("answer", "q1", "q2")).err).toMatch(/The answer is missing/);
    expect(await stage.ok("answer", "q1", "q2", "allow")).toMatch(/q1: allowed[\s\S]*q2: allowed/);
    const { needsYou } = await stage.until(({ needsYou: open }) => open.length === 2);
    const [one, other] = needsYou.map(({ id }) => id) as [string, string];
    expect((await stage.bm("answer", one, "deny", "--session")).err).toMatch(/cannot be allowed for the whole session/);
    await stage.ok("answer", one, "allow", "--session");
    await stage.ok("answer", other, "deny", "not again");
    await stage.ok("add", "feat/c", "--cli", "scripted");
    await stage.until(({ agents }) => agents.every(({ id, state }) => id !== "feat-c" || state === "done"));
    stage.script("feat-d", [{ do: "ask", command: "touch made" }, { do: "status", text: "it may" }, { do: "stall" }]);
    await stage.ok("add", "feat/d", "--cli", "scripted");
    await stage.until(({ agents }) => agents.at(-1)?.evidence === "it may");
    const effects = await stage.ok("log", "--effects", "--json");
    expect((await stage.status()).needsYou).toEqual([]);
    expect(effects).toContain("agent.answer");
  });
});

describe("what needs a person", () => {
  it("is one list, with what to do", async () => {
    stage.script("feat-a", [{ do: "end", how: "error", text: "out of ideas" }]);
    stage.script("feat-b", [{ do: "ask", command: "touch made" }]);
    await stage.bm("start", "--headless", "--branches", "feat/a,feat/b", "--cli", "scripted");
    const { needsYou } = await stage.until(({ needsYou: all }) => all.length === 2);
    const questions = await stage.json<{ id: string; kind: string }[]>("questions");
    expect(questions.map(({ id, kind }) => [id, kind])).toEqual(needsYou.map(({ id, kind }) => [id, kind]));
    expect(await stage.ok("questions")).toMatch(
      /q1 {2}feat-b[\s\S]*answer q1 allow {3}\(or deny[\s\S]*failed {2}feat-a[\s\S]*out of ideas[\s\S]*banksman start tries again/,
    );
    expect(await stage.ok("status")).toMatch(/failed feat-a: out of ideas \(`banksman start` tries again\)/);
  });
});

describe("states", () => {
  it("follow what was said last, also when a commit is seen later", async () => {
    stage.script("feat-a", [
      { do: "write", path: "a", text: "a\n" },
      { do: "commit", message: "A" },
      { do: "blocked", needs: "b", from: "feat-b" },
      { do: "stall" },
    ]);
    await stage.start("feat/a");
    await eventually(async () => {
      const log = await stage.ok("log");
      return log.includes("committed: a") && log.includes("blocked: needs b");
    });
    expect((await stage.status()).agents[0]?.state).toBe("blocked");
  });

  it("say of one whose model limits the rate that it does, since when, and for how long that is so", async () => {
    const go = join(stage.repo.folder, "go");
    const lines = [
      'echo \'{"type":"session","id":"s"}\'; echo \'{"type":"retry","attempt":1,"reason":"rate_limit"}\'',
      `while [ ! -e '${go}' ]; do sleep 0.05; done`,
      'echo \'{"type":"text","text":"on"}\'; exec sleep 1000',
    ];
    config(`[clis.limited]\nprotocol = "events"\ncommand = ${JSON.stringify(["sh", "-c", lines.join("; ")])}\n`);
    await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "limited");
    const { agents } = await stage.until(({ agents: [agent] }) => agent?.phaseCode === "rate-limited");
    expect(agents[0]).toMatchObject({ state: "working", phase: "rate limited", phaseSince: expect.any(String) });
    expect(await stage.ok("status")).toMatch(/feat-a .*rate limited since \d\d:\d\d:\d\d/);
    stage.repo.write(stage.repo.folder, "go", "");
    await stage.until(({ agents: [agent] }) => agent?.phaseCode === undefined);
  });

  it("say of one that is paused that it is, and until when", async () => {
    for (const agent of ["feat-a", "feat-b"]) stage.script(agent, [{ do: "stall" }]);
    await stage.start("feat/a,feat/b");
    await stage.ok("pause", "feat-a", "--until-commit", "feat-b");
    const { agents, status } = await stage.status();
    expect([status, agents.map(({ paused, pausedUntil }) => [paused, pausedUntil])]).toEqual([
      "active",
      [
        [true, "feat-b"],
        [undefined, undefined],
      ],
    ]);
    expect(await stage.ok("status")).toMatch(/feat-a .*paused until feat-b commits/);
  });
});

it("times are local ones for people, and UTC for programs", async () => {
  // 5:45 before UTC, as hardly any machine is itself.
  stage.env = { ...stage.env, TZ: "Asia/Kathmandu" };
  stage.script("feat-a", [{ do: "status", text: "at it" }, { do: "stall" }]);
  await stage.start("feat/a");
  const { createdAt } = await stage.until(({ agents }) => agents[0]?.evidence === "at it");
  const here = (utc: string) => new Date(Date.parse(utc) + 345 * 60_000).toISOString().slice(11, 19);
  expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  // The date stands before it when midnight has passed there since.
  expect(await stage.ok("status")).toMatch(new RegExp(`^\\S+ {2}active {2}since (\\S+ )?${here(createdAt ?? "")} \\(`));
  const entries = await stage.json<{ seq: number; at: string }[]>("log");
  const lines = (await stage.ok("log", "--since", String((entries[0]?.seq ?? 0) - 1))).split("\n");
  for (const [i, { seq, at }] of entries.entries()) {
    expect(at).toMatch(/Z$/);
    expect(lines[i]).toMatch(new RegExp(`^ *${seq} {2}(\\S+ )?${here(at)} {2}`));
  }
  expect(entries.length).toBeGreaterThan(0);
});

describe("a new session", () => {
  it("does not have the questions and messages of the one that was purged", async () => {
    stage.script("feat-a", [
      { do: "status", text: "earlier" },
      { do: "question", text: "Which?" },
    ]);
    await stage.start("feat/a");
    await stage.until(({ needsYou }) => needsYou.length === 1);
    await stage.ok("purge", "--force");
    expect(await stage.ok("questions")).toBe("Nothing needs you.\n");
    stage.script("feat-b", [{ do: "status", text: "later" }, { do: "stall" }]);
    await stage.start("feat/b");
    await stage.until(({ agents }) => agents[0]?.evidence === "later");
    expect([(await stage.status()).needsYou, await stage.ok("questions")]).toEqual([[], "Nothing needs you.\n"]);
    const [now, all] = [await stage.ok("log"), await stage.ok("log", "--all")];
    expect([now.includes("earlier"), now.includes("later"), all.includes("earlier")]).toEqual([false, true, true]);
    expect(JSON.stringify(await stage.json("inbox"))).not.toContain("Which?");
  });

  it("has none of the alarms of the one that was purged, and raises its own", async () => {
    config("[supervisor]\nenabled = true\n");
    for (const agent of ["feat-a", "feat-b"])
      stage.script(agent, [{ do: "write", path: "README", text: `by ${agent}\n` }, { do: "stall" }]);
    const isWarned = async () => /→ feat-a .*README/.test(await stage.ok("log"));
    await stage.start("feat/a,feat/b");
    await stage.until(({ conflicts }) => conflicts.length === 1);
    await eventually(isWarned);
    await stage.ok("purge", "--force");
    expect((await stage.status()).conflicts).toEqual([]);
    await stage.start("feat/a,feat/b");
    await eventually(isWarned);
  });
});

describe("settings", () => {
  it("are followed at the next start, and until then it is said that they are not", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    config("[supervisor]\nenabled = true\nverify_on_commit_nudge = false\n");
    const { err } = await stage.bm("start", "--headless");
    expect(err).toMatch(/Not in effect until .*\[supervisor\] enabled, \[supervisor\] verify_on_commit_nudge/);
    await stage.ok("stop");
    expect((await stage.bm("start", "--headless")).err).not.toMatch(/Not in effect/);
    expect((await stage.bm("start", "--headless")).err).not.toMatch(/Not in effect/);
    const { err: flagged } = await stage.bm("start", "--headless", "--no-supervisor");
    expect(flagged).toMatch(/Not in effect until .*: --no-supervisor\n/);
  });

  it("without a broker agents have no URL, and that is what is said", async () => {
    config("[broker]\nenabled = false\n");
    stage.script("feat-a", [{ do: "run", argv: ["sh", "-c", "env > seen"] }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.until(({ agents }) => agents[0]?.modifiedFiles.includes("seen") === true);
    const [seen, brief] = ["seen", ".banksman/brief.md"].map((name) => stage.repo.read(stage.worktree("feat-a"), name));
    expect(seen).not.toMatch(/BANKSMAN_URL|GIT_PAW_BROKER_URL/);
    expect(brief).not.toContain("banksman say");
    expect((await stage.status()).broker.enabled).toBe(false);
  });
});

describe("an agent's work", () => {
  it("can be looked at and gone to", async () => {
    stage.script("feat-a", [
      { do: "write", path: "a", text: "committed\n" },
      { do: "commit", message: "A" },
      { do: "write", path: "b", text: "not yet\n" },
      { do: "stall" },
    ]);
    await stage.start("feat/a");
    await stage.until(({ agents }) => agents[0]?.modifiedFiles.includes("b") === true);
    expect(await stage.ok("diff", "feat/a")).toMatch(/\+committed[\s\S]*\+not yet/);
    expect(await stage.ok("diff", "feat-a", "--stat")).toMatch(/a +\| +1 \+[\s\S]*b +\| +1 \+/);
    expect((await stage.ok("cd", "feat-a")).trim()).toBe(realpathSync(stage.worktree("feat-a")));
    expect((await stage.bm("diff", "feat-b")).err).toMatch(/no agent called `feat-b`/);
    expect((await stage.bm("cd", "feat-b")).err).toMatch(/Did you mean feat-a/);
  });

  it("of two at one file is a conflict also where nobody warns them", async () => {
    for (const agent of ["feat-a", "feat-b"])
      stage.script(agent, [{ do: "write", path: "README", text: `by ${agent}\n` }, { do: "stall" }]);
    await stage.start("feat/a,feat/b");
    await stage.until(({ agents }) => agents.every(({ modifiedFiles }) => modifiedFiles.length === 1));
    expect(await stage.ok("conflicts")).toMatch(/feat-a × feat-b {2}both edit: README/);
    await eventually(async () => /feat-a × feat-b {2}both edit: README/.test(await stage.ok("status")));
    await stage.killSupervisor();
    expect(await stage.ok("conflicts")).toMatch(/feat-a × feat-b {2}both edit: README/);
  });
});

it("a skill's placeholders for commands are those of the config", async () => {
  config('[supervisor]\ntest_command = "make check"\n');
  const skill = "---\nname: coordination\ndescription: x\n---\nTest: {{TEST_COMMAND}}. Lint: {{LINT_COMMAND}}.\n";
  stage.repo.write(stage.root, ".agents/skills/coordination/SKILL.md", skill);
  await stage.start("feat/a");
  expect(stage.repo.read(stage.worktree("feat-a"), ".banksman/brief.md")).toMatch(
    /^Test: make check\. Lint: \(not configured\)\./,
  );
});

it("each branch can have its own CLI and all of them a task in words", async () => {
  config('[clis.other]\ncommand = ["sh", "-c", "cat > said"]\n');
  stage.script("feat-a", [{ do: "stall" }]);
  await stage.ok("start", "--headless", "--branches", "feat/a=scripted,feat/b=other", "-m", "Paint it blue");
  const { agents } = await stage.until(({ agents: all }) => all[1]?.state === "done");
  expect(agents.map(({ id, cli }) => [id, cli])).toEqual([
    ["feat-a", "scripted"],
    ["feat-b", "other"],
  ]);
  expect(stage.repo.read(stage.worktree("feat-b"), "said")).toContain("Paint it blue");
});

it("an agent that is added can have its own CLI, and one without a task in the folder of tasks is not started", async () => {
  config('[clis.other]\ncommand = ["sh", "-c", "cat > brief-seen; exec sleep 1000"]\n');
  for (const agent of ["feat-a", "feat-b"]) stage.script(agent, [{ do: "stall" }]);
  stage.repo.write(stage.repo.folder, "tasks/feat-b.md", "Do b.\n");
  const tasks = join(stage.repo.folder, "tasks");
  const refused = await stage.bm("start", "--headless", "--branches", "feat/a,feat/b", "--brief", tasks);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/no task for feat-a: .*tasks has no feat-a\.md/),
  ]);
  expect((await stage.status()).status).toBe("none");
  await stage.start("feat/b", "--brief", tasks);
  await stage.ok("add", "feat/a=scripted", "feat/c=other", "--cli", "scripted", "-m", "Do it.");
  const { agents } = await stage.status();
  expect(agents.map(({ branch, cli }) => [branch, cli])).toEqual([
    ["feat/b", "scripted"],
    ["feat/a", "scripted"],
    ["feat/c", "other"],
  ]);
  expect((await stage.bm("add", "feat/d=othre")).err).toMatch(/no CLI called `othre`[\s\S]*Did you mean other/);
});
