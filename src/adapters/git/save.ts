import { type BackupNote, readBackupNote, writeBackupNote } from "../../core/backup-note.ts";
import type { Saved } from "../../core/effects.ts";
import { Failed } from "../../core/failure.ts";
import type { Commit } from "../../core/ids.ts";
import type { SaveOrder } from "../../ports/git.ts";
import { adminOf } from "./admin.ts";
import { type Content, contentOf, nothingNew, withIndexCopy } from "./content.ts";
import { commitTree, resolveCommit, zeros } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { hasOwnCommits } from "./submodules.ts";

/**
 * Puts a worktree and its branch out of danger: a commit whose tree is the worktree byte for byte (no filter touches
 * what is uncommitted), whose parents are HEAD, the branch, the index and a merge under way. Neither the worktree nor
 * its index is written to.
 */
export async function save(git: GitRunner, commonDir: string, order: SaveOrder): Promise<Saved> {
  const { path, branch, from } = order;
  const tip = await resolveCommit(git, `refs/heads/${branch}`);
  const content = await contentOf(git, commonDir, path, tip);
  const { head, changed, tree } = content;
  if (changed.some(({ repository }) => repository) || (await hasOwnCommits(git, adminOf(commonDir, path))))
    throw new Failed({ kind: "worktree.submodules", path });
  if (changed.length === 0 && (tip === null || (head === tip && tip === from)))
    return { ref: null, tip, head, tree, files: 0, commits: 0 };
  const commits = tip === null ? 0 : await ownCommits(git, order, tip);
  const saved = { tip, head, tree, files: changed.length, commits };

  const ref = await freeRef(git, order.ref, saved);
  if (ref.holds) return { ...saved, ref: ref.name };
  const commit = await commitContent(git, order, content, { tip, commits });
  await git.run(["update-ref", "--create-reflog", ref.name, commit, zeros(commit)]);
  return { ...saved, ref: ref.name };
}

async function commitContent(
  git: GitRunner,
  { path, branch, at }: SaveOrder,
  { filled, head, changed, tree }: Content,
  { tip, commits }: { tip: Commit | null; commits: number },
): Promise<Commit> {
  const index = filled ? await commitIndex(git, path, head, changed) : null;
  const merging = filled ? await resolveCommit(git, "MERGE_HEAD", path) : null;
  // A branch without any commit is brought back from an empty one.
  const base = tip ?? head ?? (await commitTree(git, await emptyTree(git), [], "banksman: nothing yet"));
  const note: BackupNote = {
    branch,
    worktree: path,
    at,
    files: changed.length,
    commits,
    head: head ?? base,
    tip: base,
    index: head === null ? null : index,
  };
  const parents = [...new Set([head, base, index, merging].filter((each) => each !== null))];
  return commitTree(git, tree, parents, writeBackupNote(note));
}

const emptyTree = (git: GitRunner) => git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { input: "" });

/**
 * The ref to save under. One that is there is never overwritten: if it holds all there is (an attempt that was cut
 * short made it) it serves, otherwise the next number does.
 */
async function freeRef(
  git: GitRunner,
  wanted: string,
  { tip, head, tree }: Pick<Saved, "tip" | "head" | "tree">,
): Promise<{ name: string; holds: boolean }> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if ((await resolveCommit(git, name)) === null) return { name, holds: false };
    const note = readBackupNote(await git.text(["log", "-1", "--format=%B", "--end-of-options", name]));
    const same = note !== null && (tip === null || note.tip === tip) && (head === null || note.head === head);
    if (same && (await nothingNew(git, `${name}^{tree}`, tree))) return { name, holds: true };
  }
}

/** Commits that only this branch has. */
async function ownCommits(git: GitRunner, { branch }: SaveOrder, tip: Commit): Promise<number> {
  const others = ["--not", `--exclude=${branch}`, "--branches", "--remotes"];
  return Number(await git.text(["rev-list", "--count", tip, ...others]));
}

/** The index as a commit of its own where something is staged; a conflicted index cannot be one, its files are saved. */
async function commitIndex(
  git: GitRunner,
  path: string,
  head: Commit | null,
  changed: Content["changed"],
): Promise<Commit | null> {
  if (!changed.some(({ staged }) => staged) || changed.some(({ unmerged }) => unmerged)) return null;
  return withIndexCopy(git, path, async (env) => {
    const tree = await git.text(["write-tree"], { cwd: path, env });
    return commitTree(git, tree, head === null ? [] : [head], "banksman: the index");
  });
}
