import { afterAll, beforeAll, expect, it } from "vitest";
import { meets } from "../../src/core/conflicts/meets.ts";
import type { Hunk, Prediction } from "../../src/core/conflicts/prediction.ts";
import { KIND_NAMES, type Scenario, scenario } from "../merges/kinds.ts";
import { MergeGround, type Verdict } from "../merges/merge-ground.ts";
import type { Tree } from "../merges/tree.ts";

/** Submodules that lie in a worktree are known to a merge there, and to none of plain refs. Each kind once; `MERGES=400 SEED=7` for the long run. */
const MERGES = Number(process.env.MERGES ?? KIND_NAMES.length);
const SEED = Number(process.env.SEED ?? 1);
const AT_ONCE = 10;

const counts = { merges: 0, conflicts: 0, clean: 0, apart: 0, differences: 0 };
let ground: MergeGround;
beforeAll(() => {
  ground = new MergeGround();
});
afterAll(() => {
  ground.dispose();
  console.log(
    `${counts.merges} merges of ${KIND_NAMES.length} kinds (seed ${SEED}): ${counts.conflicts} conflict, ${counts.clean} are clean (${counts.apart} of them not worth a look), ${counts.differences} predictions differ from git merge`,
  );
});

/** Where a folder went to two places git leaves no file unmerged, though it says what it did not know; so do we. */
const verdict = ({ outcome, files }: Prediction): Verdict => ({
  conflict: outcome === "conflict",
  paths: files
    .filter(({ path, kind }) => kind !== "directory rename" || path !== "old")
    .map(({ path }) => path)
    .sort(),
});

const batches = Array.from({ length: Math.ceil(MERGES / AT_ONCE) }, (_, i) => i * AT_ONCE);

it.each(batches)("predicts what git merge does, from merge %i on", async (first) => {
  for (let n = first; n < Math.min(MERGES, first + AT_ONCE); n++) {
    const { kind, scenario: made, dice } = scenario(SEED, n);
    const { predicted, reversed, ofRefs, presents, real } = await ground.try(made, dice);
    counts.merges++;
    counts[real.conflict ? "conflicts" : "clean"]++;
    const found = { predicted: verdict(predicted), reversed: reversed.outcome };
    const all = { ...found, ofRefs: kind.startsWith("submodule") ? found.predicted : verdict(ofRefs) };
    const same = { predicted: real, reversed: predicted.outcome, ofRefs: real };
    if (JSON.stringify(all) !== JSON.stringify(same)) counts.differences++;
    expect.soft([n, kind, all]).toEqual([n, kind, same]);
    const met = meets(presents[0].changed, presents[1].changed);
    if (!met) counts.apart++;
    expect.soft([n, kind, !met && real.conflict]).toEqual([n, kind, false]);
    for (const file of predicted.files) for (const hunk of file.hunks) expectHeld(hunk, made);
  }
});

/** A hunk's sides stand in the files they are said to be from, line for line. */
function expectHeld(hunk: Hunk, { base, ours, theirs }: Scenario): void {
  expect.soft([hunk.base, holds(base, hunk.base)]).toEqual([hunk.base, true]);
  expect.soft([hunk.ours, holds(ours, hunk.ours)]).toEqual([hunk.ours, true]);
  expect.soft([hunk.theirs, holds(theirs, hunk.theirs)]).toEqual([hunk.theirs, true]);
}

const holds = (tree: Tree, lines: readonly string[]): boolean =>
  Object.values(tree).some((entry) => "file" in entry && joined(entry.file.split("\n")).includes(joined(lines)));

/** Line ends of a checkout are not those of the repository. */
const joined = (lines: readonly string[]): string => lines.map((line) => `\n${line.replace(/\r$/, "")}\n`).join("");
