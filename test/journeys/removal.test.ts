import { existsSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PurgeEntry } from "../../src/core/session/purge.ts";
import { CAN_MOUNT, mountOverItself, unmount } from "../mounting.ts";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const done = async (branches: string): Promise<void> => {
  for (const branch of branches.split(",")) stage.script(branch.replace("/", "-"), []);
  await stage.start(branches);
  await stage.allIn("done");
};
const backups = () => stage.repo.git("for-each-ref", "--format=%(refname)", "refs/banksman/backup/");

describe("remove", () => {
  it("refuses work that it cannot see through `.git`, and saves it with --force", async () => {
    await done("d1");
    stage.repo.write(stage.worktree("d1"), "work.txt", "precious\n");
    rmSync(join(stage.worktree("d1"), ".git"));
    const refused = await stage.bm("remove", "d1");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("d1 has 1 uncommitted file.")]);
    expect(await stage.ok("remove", "d1", "--force")).toMatch(/d1: removed, saved as refs\/banksman\/backup\/d1\//);
    await stage.ok("restore", "d1");
    expect(stage.repo.read(stage.worktree("d1"), "work.txt")).toBe("precious\n");
  });

  it("counts commits that only HEAD has", async () => {
    await done("m2");
    const path = stage.worktree("m2");
    stage.repo.gitIn(path, "checkout", "-q", "--detach");
    stage.repo.git("branch", "-q", "-D", "m2");
    stage.repo.write(path, "new", "x\n");
    const lost = stage.repo.commit(path, "on no branch");
    const refused = await stage.bm("remove", "m2");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("m2 has 1 unmerged commit.")]);
    await stage.ok("remove", "m2", "--force");
    expect(stage.repo.git("merge-base", "--is-ancestor", lost, backups())).toBe("");
  });

  it("lets the others go where one has to stay, and leaves that one as it is", async () => {
    stage.script("stays", [{ do: "status", text: "at it" }, { do: "stall" }]);
    stage.script("goes", []);
    await stage.start("stays,goes");
    await stage.until(({ agents }) => agents.some(({ evidence }) => evidence.includes("at it")));
    const inner = join(stage.worktree("stays"), "app");
    mkdirSync(inner);
    stage.repo.gitIn(inner, "init", "-q");
    stage.repo.write(inner, "x", "1\n");
    stage.repo.commit(inner, "inner");
    const { code, out, err } = await stage.bm("remove", "stays", "goes", "--force");
    expect([code, out, err]).toEqual([
      1,
      expect.stringContaining("goes: removed"),
      expect.stringMatching(/^stays: kept\. .*`app`.*Push or copy that work/),
    ]);
    const { agents } = await stage.status();
    expect(agents.map(({ id, state }) => [id, state])).toEqual([["stays", "working"]]);
    await stage.ok("remove", "stays", "--keep-worktree");
    expect(existsSync(inner)).toBe(true);
  });

  it("says what was saved although another backup cannot be read", async () => {
    await done("a1,a2");
    const home = join(stage.root, ".git/refs/banksman/backup/old");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "x"), `${"1".repeat(40)}\n`);
    for (const agent of ["a1", "a2"]) stage.repo.write(stage.worktree(agent), "new", "x\n");
    expect(await stage.ok("remove", "a1", "--force")).toMatch(/a1: removed, saved as \S+backup\/a1\//);
    expect(await stage.ok("purge", "--force")).toMatch(/a2: removed, saved as \S+backup\/a2\//);
    const listed = await stage.bm("restore", "list");
    expect([listed.code, listed.out.match(/^refs/gm)?.length, listed.err]).toEqual([
      0,
      2,
      expect.stringMatching(/^refs\/banksman\/backup\/old\/x cannot be read/),
    ]);
  });
});

describe("purge", () => {
  it("names the agent whose index is damaged, and saves its files", async () => {
    await done("b1,b2");
    for (const agent of ["b1", "b2"]) stage.repo.write(stage.worktree(agent), "new", `of ${agent}\n`);
    writeFileSync(join(stage.root, ".git/worktrees/b1/index"), "damaged");
    const plan = await stage.json<PurgeEntry[]>("purge", "--dry-run");
    expect(plan.map(({ agent, files, stays }) => [agent, files, stays])).toEqual([
      ["b1", 1, null],
      ["b2", 1, null],
    ]);
    expect(await stage.ok("purge", "--force")).toMatch(/b1: removed, saved as[\s\S]*b2: removed, saved as/);
    await stage.ok("restore", "b1");
    expect(stage.repo.read(stage.worktree("b1"), "new")).toBe("of b1\n");
  });

  it.skipIf(!CAN_MOUNT)("does not say removed of what could not be deleted, however often it is asked", async () => {
    await done("c1");
    const held = join(stage.worktree("c1"), "held");
    stage.repo.write(held, "fast", "x\n");
    mountOverItself(held);
    try {
      for (let i = 0; i < 2; i++) {
        const { code, err } = await stage.bm("purge", "--force");
        expect([code, err]).toEqual([1, expect.stringMatching(/^c1: kept\. .* could not be deleted completely/)]);
      }
    } finally {
      unmount(held);
    }
    expect(await stage.ok("purge", "--force")).toContain("c1: removed");
  });
});

describe("an agent that makes a repository of its own of its worktree", () => {
  it("fails alone, with a sentence; everything else goes on, and the log stays short", async () => {
    const script = "rm -rf .git && git init -q && echo x > mine";
    stage.script("rogue", [
      { do: "run", argv: ["sh", "-c", script] },
      { do: "status", text: "did it" },
      { do: "stall" },
    ]);
    stage.script("good", [{ do: "status", text: "at it" }, { do: "stall" }]);
    await stage.start("rogue,good");
    const lost = await stage.until(({ agents }) => agents.some(({ warnings }) => warnings.join().includes("`.git`")));
    expect(lost.agents.map(({ id, warnings }) => [id, warnings.length])).toEqual([
      ["rogue", 1],
      ["good", 0],
    ]);
    await stage.ok("stop");
    await stage.bm("start");
    const again = await stage.until(({ agents }) =>
      agents.some(({ id, state }) => id === "rogue" && state === "failed"),
    );
    expect(JSON.stringify(again.agents[0]?.failure)).toMatch(/its `\.git` is a folder/);
    await stage.until(({ agents }) => agents.some(({ id, state }) => id === "good" && state === "working"));
    const log = join(stage.folder, "serve.log");
    const size = existsSync(log) ? statSync(log).size : 0;
    expect(await stage.ok("remove", "good", "--force")).toContain("good: removed");
    const purged = await stage.bm("purge", "--force");
    expect([purged.code, purged.err]).toEqual([1, expect.stringMatching(/^rogue: kept\. .*repository of its own/)]);
    expect(stage.repo.read(stage.worktree("rogue"), "mine")).toBe("x\n");
    expect((existsSync(log) ? statSync(log).size : 0) - size).toBeLessThan(5_000);
    await stage.ok("remove", "rogue", "--keep-worktree");
    await stage.ok("purge", "--force");
  });
});

describe("start", () => {
  it("repairs worktrees that a power cut has left half written", async () => {
    for (const agent of ["p1", "p2"])
      stage.script(agent, [
        { do: "write", path: "work", text: "w\n" },
        { do: "commit", message: "work" },
        { do: "stall" },
      ]);
    await stage.start("p1,p2");
    await stage.until(({ agents }) => agents.every(({ id }) => stage.repo.git("rev-list", "--count", id) === "2"));
    await stage.ok("stop");
    const tip = stage.repo.git("rev-parse", "p2");
    const record = (agent: string) => join(stage.root, ".git/worktrees", agent);
    for (const name of ["HEAD", "gitdir", "index"]) truncateSync(join(record("p1"), name), 0);
    for (const name of [".git", "README"]) truncateSync(join(stage.worktree("p1"), name), 0);
    truncateSync(join(stage.root, ".git/refs/heads/p2"), 0);
    await stage.start("");
    const { agents } = await stage.allIn("working");
    expect(agents.map(({ id, warnings }) => [id, warnings.join()])).toEqual([
      ["p1", expect.stringMatching(/link to the repository.*index was damaged/)],
      ["p2", expect.stringMatching(/its branch p2 led nowhere/)],
    ]);
    expect(stage.repo.gitIn(stage.worktree("p1"), "rev-parse", "--abbrev-ref", "HEAD")).toBe("p1");
    expect([stage.repo.read(stage.worktree("p1"), "README"), stage.repo.git("rev-parse", "p2")]).toEqual(["hi\n", tip]);
  });

  it("puts back our ignore file that `git clean` took away", async () => {
    await done("e1");
    stage.repo.git("clean", "-ffdx", "-q", "--", ".banksman/.gitignore");
    expect(stage.repo.git("status", "--porcelain")).toContain(".banksman");
    await stage.ok("start");
    expect(stage.repo.git("status", "--porcelain")).toBe("");
  });

  it("removes a lock that a killed agent left, and says so in the log", async () => {
    stage.script("f1", [
      { do: "run", argv: ["touch", join(stage.root, ".git/worktrees/f1/index.lock")] },
      { do: "stall" },
    ]);
    await stage.start("f1");
    await stage.until(() => existsSync(join(stage.root, ".git/worktrees/f1/index.lock")));
    await stage.ok("stop");
    // It goes on with its second step.
    const commit = { do: "run", argv: ["git", "commit", "-q", "--allow-empty", "-m", "it works"] } as const;
    stage.script("f1", [commit, commit]);
    await stage.start("");
    await stage.allIn("done");
    expect(stage.repo.git("log", "-1", "--format=%s", "f1")).toBe("it works");
    expect(await stage.ok("log", "--effects")).toMatch(/agent\.launch {2}done: removed a lock that nobody held/);
  });

  it("warns of a worktree and of a branch that somebody took away under a running agent", async () => {
    for (const agent of ["g1", "g2"]) stage.script(agent, [{ do: "status", text: "at it" }, { do: "stall" }]);
    await stage.start("g1,g2");
    await stage.until(({ agents }) => agents.every(({ evidence }) => evidence.includes("at it")));
    rmSync(stage.worktree("g1"), { recursive: true });
    stage.repo.git("update-ref", "-d", "refs/heads/g2");
    const { agents } = await stage.until((seen) => seen.agents.every(({ warnings }) => warnings.length > 0));
    expect(agents.map(({ warnings }) => warnings.join())).toEqual([
      expect.stringMatching(/worktrees\/g1 was deleted\./),
      expect.stringMatching(/branch g2 was deleted\. `git branch g2 [0-9a-f]{40}`/),
    ]);
  });
});

describe("restore", () => {
  it("is not given up while it works, however long that takes, and says how far it is", async () => {
    await done("h1");
    for (let i = 0; i < 300; i++) stage.repo.write(stage.worktree("h1"), `d${i % 9}/f${i}`, `content ${i}\n`);
    await stage.ok("purge", "--force");
    // A git that takes three times as long for the files as a supervisor stays without a session.
    const slow = join(stage.home, "slow");
    mkdirSync(slow);
    const real = stage.env.PATH?.split(":").find((folder) => existsSync(join(folder, "git")));
    const script = `#!/bin/sh\ncase "$*" in *batch-check=*objectsize*) sleep 4.5;; esac\nexec ${real}/git "$@"\n`;
    writeFileSync(join(slow, "git"), script, { mode: 0o755 });
    const timers = JSON.stringify({ lookAround: 100, idle: 1_500 });
    stage.env = { ...stage.env, PATH: `${slow}:${stage.env.PATH}`, BANKSMAN_TEST_TIMERS: timers };
    const { code, err } = await stage.bm("restore", "h1");
    expect([code, err]).toEqual([0, expect.stringContaining("restoring h1: 0 of 300 files")]);
    expect(stage.repo.read(stage.worktree("h1"), "d2/f299")).toBe("content 299\n");
  });
});
