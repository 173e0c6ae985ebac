import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { GIT_ENV } from "../git-repository.ts";
import { Dice } from "../merges/tree.ts";
import { DEEDS } from "../watched/deeds.ts";
import { WatchedGround } from "../watched/ground.ts";

/** `STEPS=500 SEED=7` for the long run. */
const STEPS = Number(process.env.STEPS ?? 12);
const SEED = Number(process.env.SEED ?? 1);
/** Nothing is asserted about time; but a failure should say what was missing. */
const GIVE_UP_MS = 15_000;
/** The second's name begins like the first's. */
const AGENTS = ["a", "a-b", "c"];

let ground: WatchedGround;
afterEach(() => ground.dispose());

/** What git says by itself, asked in another way than we ask. */
const reallyChanged = (path: string): string[] =>
  execFileSync(
    "git",
    [
      "-c",
      `core.excludesFile=${ground.excludes}`,
      "status",
      "--porcelain",
      "-z",
      "-uall",
      "--no-renames",
      "--ignore-submodules=dirty",
    ],
    {
      cwd: path,
      env: GIT_ENV,
    },
  )
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(3).replace(/\/$/, ""));

const committed = (path: string, from: string, to: string): { count: number; files: string[] } => {
  const commits = ground.repo
    .gitIn(path, "rev-list", to, `^${from}`, "^refs/heads/main", "--")
    .split("\n")
    .filter(Boolean);
  const files = commits.flatMap((commit) =>
    execFileSync(
      "git",
      ["diff-tree", "-r", "--root", "-z", "--no-renames", "--no-commit-id", "--name-only", "--cc", commit],
      {
        cwd: path,
        env: GIT_ENV,
      },
    )
      .toString("utf8")
      .split("\0")
      .map((name) => name.replace(/^\n/, ""))
      .filter(Boolean),
  );
  return { count: commits.length, files: [...new Set(files)].sort() };
};

const sorted = (names: readonly string[]) => [...new Set(names)].sort();
const same = (a: readonly string[], b: readonly string[]) => sorted(a).join("\0") === sorted(b).join("\0");

it(
  `tells what git says of three worktrees, through ${STEPS} deeds`,
  async () => {
    ground = new WatchedGround({ "src/one": "1\n", "src/deep/two": "2\n", ".gitignore": "build/\n*.log\n" });
    await ground.open();
    await ground.start(...AGENTS);
    const dice = new Dice(SEED);
    const done: string[] = [];
    for (let n = 0; n < STEPS; n++) {
      const agent = dice.pick(AGENTS);
      const path = ground.worktree(agent);
      const [from, told] = [ground.head(agent) ?? "refs/heads/main", (await ground.artifacts(agent)).length];
      const restart = dice.below(12) === 0;
      if (restart) await ground.close();
      for (let more = dice.pick([1, 1, 1, 2, 3]); more > 0; more--) {
        const deed = dice.pick([...Object.keys(DEEDS), "edit", "edit", "edit", "create", "create", "renameFolder"]);
        done.push(`${agent} ${deed}${restart ? " (restart)" : ""}`);
        DEEDS[deed]?.({ repo: ground.repo, path, branch: agent, others: AGENTS, dice });
      }
      if (restart) await ground.open();
      const head = ground.repo.gitIn(path, "rev-parse", "HEAD");
      const isTold = () => ground.head(agent) === head && same(ground.files(agent), reallyChanged(path));
      for (const since = Date.now(); !isTold(); await sleep(20))
        if (Date.now() - since > GIVE_UP_MS)
          expect([done.slice(-6), ground.head(agent), ground.files(agent)]).toEqual([n, head, reallyChanged(path)]);
      const { count, files } = committed(path, from, head);
      const news = (await ground.artifacts(agent)).slice(told);
      expect([n, done.at(-1), sorted(news.flat())]).toEqual([n, done.at(-1), files]);
      expect(news.length).toBeLessThanOrEqual(count);
      expect(news.length > 0).toBe(count > 0);
    }
  },
  60_000 + STEPS * 4_000,
);
