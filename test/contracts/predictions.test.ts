import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPredictor } from "../../src/adapters/git/predictor.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { AgentId, Commit, Instant } from "../../src/core/text/ids.ts";
import { createPredictions } from "../../src/engine/conflicts/predictions.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { Dice, editLine } from "../merges/tree.ts";

/** `STEPS=300 SEED=7` for the long run. */
const STEPS = Number(process.env.STEPS ?? 24);
const SEED = Number(process.env.SEED ?? 1);
const AGENTS = ["a", "b", "c", "d"] as AgentId[];

const dice = new Dice(SEED);
let repo: TempRepository;
beforeAll(() => {
  const files = ["f", "g", "old/one", "old/two"].map((name) => [name, dice.lines(25)]);
  repo = new TempRepository(Object.fromEntries(files));
  for (const name of AGENTS) repo.git("worktree", "add", "-q", "-b", name, worktree(name));
});
afterAll(() => repo.dispose());

const worktree = (name: string) => join(repo.folder, name);
const filesOf = (name: string) =>
  readdirSync(worktree(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".git")
    .map((entry) => join(entry.parentPath, entry.name).slice(worktree(name).length + 1))
    .sort();

/** Anything an agent may do: edit, rename, remove, add, bring back, commit, merge main. */
function step(name: AgentId): string {
  const path = worktree(name);
  const file = dice.pick([...filesOf(name), "f", "f"]);
  const to = dice.pick(["new", "old/three", "moved/one", "moved/two", "g"]);
  const what = dice.pick(["edit", "edit", "edit", "edit", "rename", "remove", "add", "attributes", "back", "commit"]);
  if (what === "edit" && existsSync(join(path, file)))
    repo.write(path, file, editLine(readFileSync(join(path, file), "utf8"), dice.below(25), `${dice.word()}\n`));
  if (what === "rename" && existsSync(join(path, file)) && !existsSync(join(path, to))) {
    mkdirSync(dirname(join(path, to)), { recursive: true });
    renameSync(join(path, file), join(path, to));
  }
  if (what === "remove") rmSync(join(path, file), { force: true });
  if (what === "add") repo.write(path, to, dice.lines(25));
  if (what === "attributes") repo.write(path, ".gitattributes", dice.pick(["f merge=union\n", "* text=auto\n", ""]));
  if (what === "back") repo.gitIn(path, "checkout", "-q", "--force", "main", "--", "f", "g");
  if (what === "commit") repo.gitIn(path, "add", "--all");
  if (what === "commit") repo.gitIn(path, "commit", "-q", "--allow-empty", "-m", "work");
  return `${name} ${what} ${file} ${to}`;
}

it(
  `stays what a merge of everybody with everybody would be, through ${STEPS} steps`,
  async () => {
    const place = { commonDir: join(repo.root, ".git"), quarantine: join(repo.folder, "quarantine") };
    const predictor = createPredictor(createCommand("bm-test.command"), place, GIT_ENV);
    const look = createPredictions(predictor);
    const base = { name: "main", commit: repo.git("rev-parse", "main") as Commit };
    const agents = AGENTS.map((name) => ({ name, worktree: worktree(name), skip: [] }));
    let kept = 0;
    for (let n = 0; n < STEPS; n++) {
      const name = dice.pick(AGENTS);
      const done = step(name);
      const { pairs, problems } = await look({ agents, base, now: n as Instant, edited: new Set([name]) });
      kept += pairs.filter(({ since }) => since < n).length;
      const presents = await Promise.all(
        agents.map((each) => predictor.workCommit({ path: each.worktree, base: base.commit, skip: [] })),
      );
      const found = pairs
        .filter(({ prediction }) => prediction.outcome === "conflict")
        .map(({ between, prediction }) => [between.join("×"), prediction.files] as const);
      const all: (readonly [string, unknown])[] = [];
      for (const [i, a] of agents.entries()) {
        const others = presents.slice(i + 1).map(({ commit }) => commit);
        const ours = presents[i]?.commit as Commit;
        const predicted = await predictor.predict({
          pairs: others.map((theirs) => ({ ours, theirs })),
          worktree: a.worktree,
        });
        for (const [j, { outcome, files }] of predicted.entries())
          if (outcome === "conflict") all.push([`${a.name}×${AGENTS[i + 1 + j]}`, files]);
      }
      expect([n, done, problems, Object.fromEntries(found)]).toEqual([n, done, [], Object.fromEntries(all)]);
    }
    console.log(`${STEPS} steps (seed ${SEED}): ${kept} results were kept`);
  },
  60_000 + STEPS * 4_000,
);
