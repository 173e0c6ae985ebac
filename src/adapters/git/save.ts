import { copyFileSync, existsSync, lstatSync, mkdtempSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupNote, writeBackupNote } from "../../core/backup-note.ts";
import type { Saved } from "../../core/effects.ts";
import { Failed } from "../../core/failure.ts";
import type { Commit } from "../../core/ids.ts";
import type { SaveOrder } from "../../ports/git.ts";
import { adminOf } from "./admin.ts";
import { commitTree, resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { type ChangedPath, changedPaths } from "./status.ts";

const GONE = "0".repeat(40);

/**
 * Puts a worktree and its branch out of danger: a commit whose tree is the worktree byte for byte (no filter touches
 * what is uncommitted), whose parents are HEAD, the branch, the index and a merge under way. Neither the worktree nor
 * its index is written to.
 */
export async function save(git: GitRunner, commonDir: string, order: SaveOrder): Promise<Saved> {
  const { path, branch, ref, at, from } = order;
  const tip = await resolveCommit(git, `refs/heads/${branch}`);
  const filled = adminOf(commonDir, path)?.filled === true;
  const head = filled ? await resolveCommit(git, "HEAD", path) : tip;
  const changed = filled ? await changedPaths(git, path) : [];
  const commits = tip === null ? 0 : await ownCommits(git, order, tip);
  if (changed.some(({ repository }) => repository)) throw new Failed({ kind: "worktree.submodules", path });
  if (head === null || (changed.length === 0 && head === tip && tip === from))
    return { ref: null, tip, files: 0, commits: 0 };

  const index = filled ? await commitIndex(git, path, head, changed) : null;
  const merging = filled ? await resolveCommit(git, "MERGE_HEAD", path) : null;
  const tree = changed.length === 0 ? `${head}^{tree}` : await treeOf(git, path, changed);
  const note: BackupNote = {
    branch,
    worktree: path,
    at,
    files: changed.length,
    commits,
    head,
    tip: tip ?? head,
    index,
  };
  const parents = [...new Set([head, tip, index, merging].filter((each) => each !== null))];
  const commit = await commitTree(git, tree, parents, writeBackupNote(note));
  await git.run(["update-ref", "--create-reflog", ref, commit, GONE]);
  return { ref, tip, files: changed.length, commits };
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
  head: Commit,
  changed: readonly ChangedPath[],
): Promise<Commit | null> {
  if (!changed.some(({ staged }) => staged) || changed.some(({ unmerged }) => unmerged)) return null;
  return withIndexCopy(git, path, async (env) => {
    const tree = await git.text(["write-tree"], { cwd: path, env });
    return commitTree(git, tree, [head], "banksman: the index");
  });
}

/** The worktree as a tree: HEAD's entries, with every changed path as it is on disk. */
async function treeOf(git: GitRunner, path: string, changed: readonly ChangedPath[]): Promise<string> {
  const present = changed.flatMap(({ path: name }) => {
    const stat = lstatOrNull(join(path, name));
    return stat === null ? [] : [{ name, stat }];
  });
  const blobs = await writeBlobs(git, path, present);
  const removals = changed.map(({ path: name }) => `0 ${GONE}\t${name}\0`);
  const additions = present.map(({ name, stat }, i) => `${modeOf(stat)} ${blobs[i]}\t${name}\0`);
  return withIndexCopy(git, path, async (env) => {
    await git.run(["update-index", "-z", "--index-info"], {
      cwd: path,
      env,
      input: [...removals, ...additions].join(""),
    });
    return git.text(["write-tree"], { cwd: path, env });
  });
}

interface Present {
  readonly name: string;
  readonly stat: Stats;
}

async function writeBlobs(git: GitRunner, cwd: string, present: readonly Present[]): Promise<string[]> {
  const listed = present.filter(({ name, stat }) => !stat.isSymbolicLink() && !name.includes("\n"));
  const paths = listed.map(({ name }) => `${name}\n`).join("");
  const hashed =
    listed.length === 0
      ? ""
      : await git.text(["hash-object", "-w", "--no-filters", "--stdin-paths"], { cwd, input: paths });
  const byName = new Map(hashed.split("\n").map((blob, i) => [listed[i]?.name, blob]));
  const blobs: string[] = [];
  for (const { name, stat } of present) {
    const known = byName.get(name);
    if (known !== undefined) blobs.push(known);
    else if (stat.isSymbolicLink()) blobs.push(await writeLink(git, join(cwd, name)));
    else blobs.push(await git.text(["hash-object", "-w", "--no-filters", "--", name], { cwd }));
  }
  return blobs;
}

const writeLink = (git: GitRunner, path: string) =>
  git.text(["hash-object", "-w", "--stdin"], { input: readlinkSync(path, { encoding: "buffer" }) });

/** A copy of the worktree's index to work on; the real one, and its lock, are never touched. */
async function withIndexCopy<T>(
  git: GitRunner,
  cwd: string,
  work: (env: { GIT_INDEX_FILE: string }) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "banksman-index-"));
  try {
    const index = await git.text(["rev-parse", "--path-format=absolute", "--git-path", "index"], { cwd });
    const copy = join(folder, "index");
    if (existsSync(index)) copyFileSync(index, copy);
    return await work({ GIT_INDEX_FILE: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function modeOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return "120000";
  return (stat.mode & 0o100) !== 0 ? "100755" : "100644";
}

function lstatOrNull(path: string): Stats | null {
  try {
    const stat = lstatSync(path);
    return stat.isFile() || stat.isSymbolicLink() ? stat : null;
  } catch {
    return null;
  }
}
