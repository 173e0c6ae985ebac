import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lives } from "../../src/cli/supervisor/state-files.ts";
import { eventually, Stage } from "../stage.ts";

/** What two people who tried to break it found: one test for each, so that it stays found. */
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const config = (text: string) => stage.repo.write(stage.root, ".banksman/config.toml", text);
const needs = async (kind: string) =>
  (await stage.until(({ needsYou }) => needsYou.some((need) => need.kind === kind))).needsYou.find(
    (need) => need.kind === kind,
  );

/** A CLI of the user's own: a script under a name. */
function cli(name: string, body: string, protocol = "plain"): void {
  const path = join(stage.home, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), `[clis.${name}]\ncommand = ["${path}"]\nprotocol = "${protocol}"\n`);
}

describe("the supervisor", () => {
  it("does not keep the repository when it could not start", async () => {
    await stage.start("feat/a");
    await stage.ok("stop");
    config("typo = 1\n");
    const refused = await stage.bm("purge", "--force");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("typo")]);
    expect((await stage.bm("serve")).code).toBe(1);
    rmSync(join(stage.root, ".banksman/config.toml"));
    await stage.start("");
    expect((await stage.status()).status).toBe("active");
  });

  it("survives a connection that wants to be something else, and breaks off", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    const { supervisor } = await stage.status();
    const port = Number(new URL(supervisor?.url ?? "").port);
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      socket.resetAndDestroy();
    }
    expect((await stage.status()).supervisor?.pid).toBe(supervisor?.pid);
  });

  it("does not end a session that somebody else started meanwhile", async () => {
    await stage.start("feat/a");
    await stage.ok("stop");
    const ran = await Promise.all([
      stage.bm("start", "--headless"),
      stage.bm("add", "feat/a", "--cli", "nope"),
      stage.bm("purge", "--dry-run"),
    ]);
    expect(ran[0].code).toBe(0);
    const { status, supervisor } = await stage.status();
    expect([status, supervisor !== null]).toEqual(["active", true]);
  });

  it("is not held by a process that an agent left behind without its marker", async () => {
    const note = join(stage.home, "left.pid");
    cli(
      "leaver",
      `setsid env -i sh -c 'echo $$ > ${note}; exec sleep 1000' & until [ -s ${note} ]; do sleep 0.01; done`,
    );
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", "leaver");
    await stage.allIn("done");
    const pid = await stage.supervisorPid();
    await stage.ok("stop");
    expect(lives(pid)).toBe(false);
    process.kill(Number(readFileSync(note, "utf8")), "SIGKILL");
  });
});

describe("answers and messages", () => {
  it("deny, whatever the reason is called", async () => {
    stage.script("feat-a", [{ do: "ask", command: "touch granted" }]);
    await stage.start("feat/a");
    await stage.ok("answer", (await needs("approval"))?.id ?? "", "deny", "allow");
    await stage.allIn("done");
    expect(existsSync(join(stage.worktree("feat-a"), "granted"))).toBe(false);
  });

  it("show all of what would be run, where nothing else can be taken for it", async () => {
    stage.script("feat-a", [{ do: "ask", command: "ls\nrm -rf /\nq9  feat-b  0s ago" }]);
    await stage.start("feat/a");
    await needs("approval");
    expect(await stage.ok("status")).toContain("ls ⏎ rm -rf / ⏎ q9");
    expect(await stage.ok("questions")).toContain("may it run: ls\n    | rm -rf /\n    | q9");
  });

  it("of others are not lost while an agent waits for its answer", async () => {
    stage.script("feat-a", [
      { do: "question", text: "Which?" },
      { do: "run", argv: ["banksman", "say", "poll"] },
    ]);
    await stage.start("feat/a");
    const question = await needs("question");
    await stage.ok("tell", "feat-a", "mind the gap");
    await stage.ok("answer", question?.id ?? "", "That");
    const { agents } = await stage.allIn("done");
    const log = readFileSync(agents[0]?.log ?? "", "utf8");
    expect(log.match(/mind the gap/g)?.length).toBeGreaterThan(0);
  });

  it("of an agent that was removed are nobody's business any more", async () => {
    stage.script("feat-a", [{ do: "question", text: "Which?" }]);
    await stage.start("feat/a,feat/b");
    await needs("question");
    await stage.ok("tell", "feat-a", "meant for the first");
    await stage.ok("remove", "feat-a", "--force");
    expect((await stage.status()).needsYou).toEqual([]);
    stage.script("feat-a", [{ do: "run", argv: ["banksman", "say", "poll"] }]);
    await stage.ok("add", "feat/a", "--cli", "scripted");
    const { agents } = await stage.allIn("done");
    const log = readFileSync(agents.find(({ id }) => id === "feat-a")?.log ?? "", "utf8");
    // The first one may have heard it before it was removed: what counts is what came with the second one's brief, and after.
    const runs = log.split('{"banksman":"prompt","text":"# How you');
    expect([runs.length, runs.at(-1)]).toEqual([3, expect.not.stringContaining("meant for the first")]);
  });

  it("reach an agent behind any number of broadcasts", async () => {
    stage.script("feat-a", [{ do: "wait" }, { do: "say", text: "heard it" }]);
    stage.script("feat-b", [
      ...Array.from({ length: 60 }, (_, i) => ({ do: "artifact", exports: [`e${i}`] }) as const),
      { do: "stall" },
    ]);
    await stage.start("feat/a,feat/b");
    await eventually(async () => (await stage.json<unknown[]>("inbox", "feat-a")).length >= 60);
    await stage.ok("tell", "feat-a", "go on");
    await stage.until(({ agents }) => agents[0]?.state === "done");
  });
});

describe("a worktree", () => {
  it("whose index an agent threw away is not reset", async () => {
    stage.script("feat-a", [
      { do: "write", path: "README", text: "uncommitted\n" },
      { do: "run", argv: ["sh", "-c", "rm $(git rev-parse --git-path index)"] },
      { do: "status", text: "index gone" },
      { do: "stall" },
    ]);
    await stage.start("feat/a");
    while (!(await stage.ok("log")).includes("index gone")) await sleep(20);
    await stage.ok("tell", "feat-a", "anything");
    await stage.killSupervisor();
    await stage.start("");
    expect(stage.repo.read(stage.worktree("feat-a"), "README")).toBe("uncommitted\n");
  });

  it("that was deleted by hand is made again, and set up again", async () => {
    config('[worktree]\nsetup = "echo ready > set-up.txt"\n');
    await stage.ok("trust", "--yes");
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    await stage.ok("stop");
    rmSync(stage.worktree("feat-a"), { recursive: true });
    await stage.start("");
    expect(stage.repo.read(stage.worktree("feat-a"), "set-up.txt")).toBe("ready\n");
    await stage.ok("stop");
    rmSync(stage.worktree("feat-a"), { recursive: true });
    await stage.ok("purge", "--force");
    expect(stage.repo.git("worktree", "list").split("\n")).toHaveLength(1);
    await stage.start("feat/a");
  });

  it("never takes in or gives out anything through a link of the repository's", async () => {
    const outside = join(stage.repo.folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(stage.root, ".banksman"));
    const started = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([started.code, started.err]).toEqual([1, expect.stringContaining("a link leads out of the folder")]);
    expect((await stage.bm("init")).code).toBe(1);
    rmSync(join(stage.root, ".banksman"));
    stage.repo.write(stage.root, ".pi/git/config", "x\n");
    stage.repo.git("checkout", "-q", "-b", "feat/evil");
    symlinkSync(outside, join(stage.root, ".pi-link"));
    stage.repo.git("rm", "-rq", "--cached", "--ignore-unmatch", ".pi");
    rmSync(join(stage.root, ".pi"), { recursive: true });
    symlinkSync(outside, join(stage.root, ".pi"));
    stage.repo.commit(stage.root, "a link instead of a folder");
    stage.repo.git("checkout", "-q", "main");
    stage.repo.write(stage.root, ".pi/git/config", "x\n");
    await stage.bm("start", "--headless", "--branches", "feat/evil", "--cli", "scripted");
    expect(existsSync(join(outside, "git"))).toBe(false);
  });
});

it("an agent's token is in nothing that is kept or shown", async () => {
  cli("talker", 'cat > /dev/null; echo "$BANKSMAN_URL"; exit 1');
  await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "talker");
  const { agents } = await stage.allIn("failed");
  const [first] = agents;
  expect(first?.evidence).toMatch(/exit code 1: http:\/\/127\.0\.0\.1:\d+\/a\//);
  expect(`${first?.evidence}${readFileSync(first?.log ?? "", "utf8")}`).not.toMatch(/\/a\/[A-Za-z0-9_-]{32}/);
});

it("an events CLI that never introduces itself is up all the same", async () => {
  cli("quiet", `echo '{"type":"text","text":"here"}'; exec sleep 1000`, "events");
  await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", "quiet");
  expect((await stage.status()).agents).toMatchObject([{ state: "working" }]);
});

it.each(["constructor", "__proto__", "toString"])("%s is a branch like any other, and no command", async (name) => {
  await stage.ok("start", "--headless", "--branches", name, "--cli", "scripted");
  await stage.allIn("done");
  expect((await stage.bm(name)).err).toMatch(/There is no command/);
});

it("works in a repository with SHA-256 names", async () => {
  rmSync(join(stage.root, ".git"), { recursive: true });
  stage.repo.git("init", "-q", "-b", "main", "--object-format=sha256");
  stage.repo.commit(stage.root, "first");
  await stage.start("feat/a");
  await stage.allIn("done");
  stage.repo.write(stage.worktree("feat-a"), "note", "n\n");
  await stage.ok("purge", "--force");
  await stage.ok("restore", "feat-a");
  expect(stage.repo.read(stage.worktree("feat-a"), "note")).toBe("n\n");
});
