import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { killMarked } from "../../src/adapters/process/group.ts";
import { GIT_ENV } from "../git-repository.ts";
import { Stage, untilGone } from "../stage.ts";
import { lostOf, type Treasure, treasureOf } from "../worktrees/treasure.ts";
import { LoopDisk } from "./loop-disk.ts";

/** Cuts in each story. `CUTS=20` for a long run. */
const CUTS = Number(process.env.CUTS ?? 2);
const AGENTS = ["p1", "p2"];

let disk: LoopDisk | null = null;
let stage: Stage | null = null;
afterEach(async () => {
  await stage?.dispose().catch(() => undefined);
  disk?.dispose();
  disk = null;
  stage = null;
});

/** A person's machine with repository, state and home on a disk that will lose its power. */
function onDisk(): { disk: LoopDisk; stage: Stage } {
  disk = new LoopDisk(64);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk.folder;
  try {
    stage = new Stage();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  for (const agent of AGENTS)
    stage.script(agent, [
      { do: "write", path: `by-${agent}`, text: `written by ${agent}\n` },
      { do: "commit", message: `by ${agent}` },
    ]);
  disk.sync();
  return { disk, stage };
}

interface Cut {
  readonly image: string;
  /** What the command had said by then. */
  readonly said: string;
}

/** Takes cuts from now on: some while the command runs, the last one right after it has ended. */
async function cutWhile(on: LoopDisk, command: ChildProcess, everyMs: number): Promise<Cut[]> {
  let said = "";
  command.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  let ended = false;
  const end = new Promise<void>((resolve) => command.once("exit", () => resolve())).then(() => {
    ended = true;
  });
  const cuts: Cut[] = [];
  while (cuts.length < CUTS - 1 && !ended) {
    await Promise.race([sleep(everyMs), end]);
    if (!ended) cuts.push({ image: on.cut(), said });
  }
  await end;
  while (cuts.length < CUTS) {
    cuts.push({ image: on.cut(), said });
    await sleep(everyMs);
  }
  return cuts;
}

/** Nothing of ours runs any more, as after the power came back. */
async function endEverything(on: Stage): Promise<void> {
  const pid = (await on.ask<{ supervisor: { pid: number } | null }>("/snapshot"))?.supervisor?.pid;
  if (pid !== undefined) {
    process.kill(pid, "SIGKILL");
    await untilGone(pid);
  }
  const session = on.sessionName();
  if (session !== null) for (const marker of [`${session}.`, `${session}-tmux`]) await killMarked(marker);
}

/** Those of which an object cannot be read, whole. */
function unreadableRefs(on: Stage): string[] {
  const wanted = ["refs/banksman/backup/", "refs/heads/main"];
  const refs = on.repo
    .git("for-each-ref", "--format=%(refname)", ...wanted)
    .split("\n")
    .filter(Boolean);
  return refs.filter((ref) => {
    const listed = spawnSync("git", ["rev-list", "--objects", "--no-object-names", ref], {
      cwd: on.root,
      env: GIT_ENV,
    });
    const read = spawnSync("git", ["cat-file", "--batch"], { cwd: on.root, env: GIT_ENV, input: listed.stdout });
    return listed.status !== 0 || read.status !== 0 || / missing$/m.test(read.stdout.toString("latin1"));
  });
}

/** `start` brings the agents up that are there, in worktrees that git can use, and they come to their end. */
async function startWorks(on: Stage): Promise<void> {
  const { agents } = await on.status();
  await on.start(agents.length === 0 ? AGENTS.join(",") : "");
  // A removal that was under way is finished first: then there may be nobody left.
  const settled = await on.until((seen) =>
    seen.agents.every(({ state, phase }) => state === "done" && phase === undefined),
  );
  for (const { id } of settled.agents) {
    try {
      expect(on.repo.gitIn(on.worktree(id), "status", "--porcelain")).not.toContain("fatal");
      expect(on.repo.read(on.worktree(id), "README")).not.toBe("");
    } catch (error) {
      // One whose removal goes on a moment later is gone with its worktree.
      if (existsSync(on.worktree(id))) throw error;
      await on.until(({ agents: left }) => left.every((agent) => agent.id !== id));
    }
  }
}

/** What agents committed right before the cut may be gone, as with any git; then it is said. */
async function holdsCommits(on: Stage): Promise<void> {
  for (const { id, warnings } of (await on.status()).agents) {
    const names = on.repo.git("ls-tree", "--name-only", id).split("\n");
    expect([id, names.includes(`by-${id}`) || warnings.join().includes("led nowhere")]).toEqual([id, true]);
  }
}

describe.skipIf(!LoopDisk.isAllowed())(`a power cut, ${CUTS} times in each story`, () => {
  it("after `start`: the next one goes on", async () => {
    const made = onDisk();
    const cuts = await cutWhile(
      made.disk,
      made.stage.spawn("start", "--headless", "--branches", AGENTS.join(","), "--cli", "scripted"),
      350,
    );
    for (const { image } of cuts) {
      await endEverything(made.stage);
      made.disk.swap(image);
      expect(made.stage.repo.read(made.stage.root, "README")).toBe("hi\n");
      await startWorks(made.stage);
      await holdsCommits(made.stage);
    }
    await endEverything(made.stage);
  });

  it.each([
    ["purge", ["purge", "--force"], "synced"],
    ["remove --force", ["remove", "--force", ...AGENTS], "synced"],
    ["remove", ["remove", ...AGENTS], "merged a moment before"],
  ])("in `%s`: what it held is on disk or in a ref that can be read", async (_, args, work) => {
    const made = onDisk();
    await made.stage.start(AGENTS.join(","));
    await made.stage.allIn("done");
    if (work === "synced") draft(made.stage);
    made.disk.sync();
    if (work !== "synced") mergeAll(made.stage);
    const treasures = AGENTS.map((agent) =>
      treasureOf(made.stage.repo, made.stage.worktree(agent), join(made.stage.root, ".git/worktrees", agent)),
    );
    // Commits and merges of the last moment may be gone with the worktree still there, as with any git.
    const cuts = (await cutWhile(made.disk, made.stage.spawn(...args), 120)).slice(work === "synced" ? 0 : -1);
    for (const { image, said } of cuts) {
      await endEverything(made.stage);
      made.disk.swap(image);
      checkNothingLost(made.stage, treasures);
      const promised = [...said.matchAll(/saved as (refs\/\S+)/g)].map(([, ref = ""]) => ref);
      for (const ref of promised) made.stage.repo.git("rev-parse", "--verify", ref);
      await startWorks(made.stage);
      checkNothingLost(made.stage, treasures);
    }
    await made.stage.bm("purge", "--force");
    await startWorks(made.stage);
    checkNothingLost(made.stage, treasures);
    await endEverything(made.stage);
  });
});

/** An edit and new files in each worktree. */
function draft({ repo, worktree }: Stage): void {
  for (const agent of AGENTS) {
    repo.write(worktree(agent), "README", `edited by ${agent}\n`);
    for (let i = 0; i < 30; i++) repo.write(worktree(agent), `new/${i}`, `draft ${i} of ${agent}\n`);
  }
}

/** A commit in each worktree that main has merged: nothing need be saved. */
function mergeAll({ repo, worktree }: Stage): void {
  for (const agent of AGENTS) {
    repo.write(worktree(agent), `late-${agent}`, `late work of ${agent}\n`);
    repo.commit(worktree(agent), `late, by ${agent}`);
    repo.git("merge", "-q", "--no-ff", "--no-edit", agent);
  }
}

/** Every object that a ref of ours or a branch needs can be read, and nothing is missing. */
function checkNothingLost(on: Stage, treasures: readonly Treasure[]): void {
  expect(unreadableRefs(on)).toEqual([]);
  expect(treasures.flatMap((each) => lostOf(on.repo, each))).toEqual([]);
}
