import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Stage, untilGone } from "../stage.ts";
import { EVERY, pointsOf, serveAndDie } from "./dying.ts";

const BRANCHES = ["feat/a", "feat/b", "feat/c"];

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

/** Three agents to be: two in new worktrees, one in a worktree of the user's, with work in it and in the checkout. */
function prepare(): { stage: Stage; mine: string } {
  const stage = new Stage();
  // What agents commit would be looked at beside it, at its own time.
  stage.repo.write(stage.home, ".config/banksman/config.toml", "[verify]\non_commit = false\n");
  stages.push(stage);
  const mine = join(stage.repo.folder, "mine");
  stage.repo.git("worktree", "add", "-q", "-b", "feat/c", mine);
  stage.repo.write(mine, "untracked", "of mine\n");
  stage.repo.write(mine, "README", "edited there\n");
  stage.repo.write(stage.root, "README", "edited here\n");
  stage.repo.write(stage.root, "notes", "untracked here\n");
  for (const agent of ["feat-a", "feat-b", "feat-c"]) {
    stage.script(agent, [
      { do: "status", text: "booting" },
      { do: "write", path: "work", text: `${agent}\n` },
      { do: "run", argv: ["git", "add", "work"] },
      { do: "run", argv: ["sh", "-c", "git diff --cached --quiet || git commit -qm work"] },
      { do: "artifact", files: ["work"] },
    ]);
  }
  return { stage, mine };
}

/** The end that every story has to reach. */
async function checkEnd(stage: Stage, mine: string): Promise<void> {
  // An agent says that it is done a moment before its process has ended; what it left is looked for after that.
  const { agents } = await stage.until(({ agents: all }) =>
    all.every(({ state, pid }) => state === "done" && pid === null),
  );
  expect(agents.map(({ branch, worktree }) => [branch, worktree])).toEqual([
    ["feat/a", stage.worktree("feat-a")],
    ["feat/b", stage.worktree("feat-b")],
    ["feat/c", mine],
  ]);
  for (const branch of BRANCHES)
    expect([branch, stage.repo.git("log", "--format=%s", `main..${branch}`)]).toEqual([branch, "work"]);
  expect(stage.repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length).toBe(4);
  expect(stage.marked()).toEqual([]);
  expect([
    stage.repo.read(mine, "untracked"),
    stage.repo.read(mine, "README"),
    stage.repo.read(stage.root, "README"),
    stage.repo.read(stage.root, "notes"),
  ]).toEqual(["of mine\n", "edited there\n", "edited here\n", "untracked here\n"]);
  expect(stage.repo.git("fsck", "--no-dangling", "--no-progress")).toBe("");
}

async function recover(stage: Stage, mine: string): Promise<void> {
  const { code, err } = await stage.bm("start", "--headless");
  expect([code, err]).toEqual([0, expect.any(String)]);
  await checkEnd(stage, mine);
  const { effects } = { effects: await stage.json<{ outcome: unknown }[]>("log", "--effects") };
  expect(effects.every(({ outcome }) => outcome !== null)).toBe(true);
}

const start = (stage: Stage) => stage.bm("start", "--headless", "--branches", BRANCHES.join(","), "--cli", "scripted");

/** How many effects such a start has: counted once, before the cases are made. */
async function countEffects(): Promise<string[]> {
  const { stage, mine } = prepare();
  const trace = join(stage.repo.folder, "trace");
  await serveAndDie(stage, 0, "before", trace);
  await start(stage);
  await checkEnd(stage, mine);
  const performed = readFileSync(trace, "utf8").trim().split("\n");
  await stage.dispose();
  stages.splice(0);
  return performed;
}

const effects = await countEffects();

describe(`kill -9 at each of the ${effects.length} effects of a start with three agents`, () => {
  it("has all of them", () => {
    expect([...effects].sort()).toEqual([
      ..."launch launch launch".split(" ").map(() => "agent.launch"),
      "worktree.add",
      "worktree.add",
      "worktree.fill",
      "worktree.fill",
      "worktree.set-up",
      "worktree.set-up",
      "worktree.set-up",
    ]);
  });
  it.each(pointsOf(effects))("effect %i, %s it is done", async (at, moment) => {
    const { stage, mine } = prepare();
    const child = await serveAndDie(stage, at, moment);
    const died = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await start(stage);
    expect(await died).toBe("SIGKILL");
    await recover(stage, mine);
  });
});

describe("kill -9 at any moment, git in the middle of its work", () => {
  it.each(EVERY ? [5, 30, 60, 90, 120, 160, 200, 250, 300, 400] : [5, 90, 200, 400])(
    "%i ms after the start was asked for",
    async (ms) => {
      const { stage, mine } = prepare();
      const child = await serveAndDie(stage, 0, "before");
      const started = start(stage);
      await sleep(ms);
      child.kill("SIGKILL");
      await untilGone(child.pid ?? 0);
      await started;
      // Killed before the plan was recorded there is nothing to recover, and nothing was made: it is asked for again.
      const { session } = await stage.status();
      if (session === null) {
        expect(existsSync(join(stage.root, ".banksman/worktrees/feat-a"))).toBe(false);
        expect((await start(stage)).code).toBe(0);
        await checkEnd(stage, mine);
      } else await recover(stage, mine);
    },
  );
});
