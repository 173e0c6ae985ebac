import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ConflictFile, Prediction } from "../../core/conflicts/prediction.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Command } from "../../ports/command.ts";
import type { CombinedWork, CombineOrder, Pair, Predictor } from "../../ports/predictor.ts";
import { layAttributes } from "./attributes.ts";
import { readable } from "./bytes.ts";
import type { TrustedPrograms } from "./guard.ts";
import { type Merged, mergeTrees } from "./merge-trees.ts";
import { resolveCommit } from "./objects.ts";
import { Quarantine } from "./quarantine.ts";
import { type FileHunks, readHunks } from "./read-hunks.ts";
import { type GitCall, GitRunner, type Setting } from "./run.ts";
import { takePresent } from "./work-commit.ts";
import { writeCommit } from "./write-commit.ts";

const LIMIT_BYTES = 200 * 1024 * 1024;

export interface PredictorPlace {
  /** The git folder all worktrees share; a bare repository itself. */
  readonly commonDir: string;
  /** A folder of ours alone: it is emptied. */
  readonly quarantine: string;
  /** As for `createGit`. */
  readonly excludes?: string;
  readonly limitBytes?: number;
  /** As for `createGit`. */
  readonly trusted?: TrustedPrograms;
}

/** Merges by `git merge-tree`, their objects in a quarantine folder. */
export function createPredictor(command: Command, place: PredictorPlace, env: NodeJS.ProcessEnv): Predictor {
  const { commonDir, excludes, trusted, limitBytes = LIMIT_BYTES } = place;
  const settings = (): Setting[] => [
    // Nothing in the quarantine has to outlive a power cut, and on a disk each object would wait for it.
    ["core.fsync", "none"],
    ...(excludes !== undefined && existsSync(excludes) ? [["core.excludesFile", excludes] as const] : []),
  ];
  const git = new GitRunner(command, commonDir, env, { settings, commonDir, ...(trusted && { trusted }) });
  const quarantine = new Quarantine(place.quarantine, join(commonDir, "objects"), limitBytes);

  /** Where git finds the attributes of a commit that is checked out nowhere. */
  const inItsAttributes = async <T>(commit: Commit, work: (call: GitCall) => Promise<T>): Promise<T> => {
    const env = quarantine.env();
    const folder = mkdtempSync(join(quarantine.folder, "attributes-"));
    try {
      await layAttributes(git, commit, folder, { env });
      return await work({ cwd: folder, env: { ...env, GIT_DIR: commonDir, GIT_WORK_TREE: folder } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  return {
    commitOf: (name) => resolveCommit(git, name),
    workCommit: (order) => takePresent(git, quarantine, commonDir, order),
    async predict({ pairs, worktree }) {
      await quarantine.makeRoom(git, 0, pairs.length);
      const { folder } = quarantine;
      if (worktree !== null) return predictAll(git, pairs, { cwd: worktree, env: quarantine.env(), folder });
      const answers = new Map<Pair, Prediction>();
      for (const ours of new Set(pairs.map((pair) => pair.ours))) {
        const own = pairs.filter((pair) => pair.ours === ours);
        const found = await inItsAttributes(ours, (call) => predictAll(git, own, { ...call, folder }));
        for (const [i, pair] of own.entries()) answers.set(pair, found[i] as Prediction);
      }
      return pairs.map((pair) => answers.get(pair) as Prediction);
    },
    async combine({ onto, commits }) {
      await quarantine.makeRoom(git, 0, 2 * commits.length);
      return inItsAttributes(onto, (call) => combineAll(git, quarantine.store, { onto, commits }, call));
    },
    objects: () => [quarantine.store],
    async diff({ base, commit, stat, colours }) {
      const how = [stat ? "--stat" : "--patch", colours ? "--color=always" : "--color=never"];
      const args = ["diff", "--no-ext-diff", "--no-textconv", "--merge-base", ...how, "--end-of-options", base, commit];
      const { stdout } = await git.run(args, { env: quarantine.env() });
      return Buffer.from(stdout).toString("utf8");
    },
    store: () => quarantine.store,
    close: async () => quarantine.remove(),
  };
}

/** Each by one merge with all before it: what was put together has both as its parents. */
async function combineAll(
  git: GitRunner,
  store: string,
  { onto, commits }: CombineOrder,
  call: GitCall,
): Promise<CombinedWork> {
  let commit = onto;
  let tree = await git.text(["rev-parse", "--verify", "--end-of-options", `${onto}^{tree}`], call);
  const left: number[] = [];
  for (const [i, theirs] of commits.entries()) {
    const [merged] = await mergeTrees(git, [{ ours: commit, theirs }], call);
    if (merged?.clean !== true) left.push(i);
    else {
      tree = merged.tree;
      commit = writeCommit(store, tree, [commit, theirs]);
    }
  }
  return { commit, tree, left };
}

async function predictAll(
  git: GitRunner,
  pairs: readonly Pair[],
  call: GitCall & { readonly folder: string },
): Promise<Prediction[]> {
  const merged = await mergeTrees(git, pairs, call);
  const conflicted = pairs.filter((_, i) => merged[i]?.clean === false);
  const hunks = conflicted.length === 0 ? [] : await readHunks(git, conflicted, call);
  const byPair = new Map(conflicted.map((pair, i) => [pair, hunks[i]]));
  return pairs.map((pair, i) => predictionOf(merged[i] as Merged, byPair.get(pair)));
}

function predictionOf(merged: Merged, hunks: ReadonlyMap<string, FileHunks> | undefined): Prediction {
  const shared = merged.shared.map(readable);
  if (merged.clean) return { outcome: shared.length > 0 ? "same-file" : "disjoint", shared, files: [] };
  const files = merged.conflicts.map(({ path, at, kind }): ConflictFile => {
    const found = hunks?.get(at);
    return { path: readable(path), kind, hunks: found?.hunks ?? [], ...(found?.cut && { cut: true }) };
  });
  return { outcome: "conflict", shared, files };
}
