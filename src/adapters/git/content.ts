import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Commit } from "../../core/ids.ts";
import { adminOf } from "./admin.ts";
import { modeOf, writeBlobs } from "./blobs.ts";
import { toBytes } from "./bytes.ts";
import { resolveCommit, zeros } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { type ChangedPath, changedPaths, fileAt } from "./status.ts";

/** What a worktree holds at this moment. */
export interface Content {
  /** Whether anything was ever checked out there. Not whether there is an index: that can be lost, and the files be there. */
  readonly filled: boolean;
  /** Null on a branch without a commit (`checkout --orphan`). */
  readonly head: Commit | null;
  readonly changed: readonly ChangedPath[];
  /** All of it as a tree, uncommitted files byte for byte; ignored ones are not in it. */
  readonly tree: string;
}

/** `git` has filters off. Neither the worktree nor its index is written to. */
export async function contentOf(git: GitRunner, commonDir: string, path: string, tip: Commit | null): Promise<Content> {
  const filled = isFilled(commonDir, path);
  const head = filled ? await resolveCommit(git, "HEAD", path) : tip;
  const changed = filled ? await changedPaths(git, path) : [];
  const tree = changed.length > 0 ? await treeOf(git, path, changed) : await treeOfCommit(git, head);
  return { filled, head, changed, tree };
}

export function isFilled(commonDir: string, path: string): boolean {
  const admin = adminOf(commonDir, path);
  return admin !== null && (admin.filled || readdirSync(path).some((name) => name !== ".git"));
}

async function treeOfCommit(git: GitRunner, commit: Commit | null): Promise<string> {
  if (commit === null) return git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { input: "" });
  return git.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`]);
}

/** Whether `now` has nothing that `then` does not have: a worktree that is half removed has less. */
export async function nothingNew(git: GitRunner, then: string, now: string): Promise<boolean> {
  if (then === now) return true;
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=d", "--name-only"];
  return (await git.fields([...args, "--end-of-options", then, now])).length === 0;
}

/** The worktree as a tree: the index's entries, with every changed path as it is on disk. */
async function treeOf(git: GitRunner, path: string, changed: readonly ChangedPath[]): Promise<string> {
  const present = changed.flatMap(({ path: name }) => {
    const stat = fileAt(path, name);
    return stat === null ? [] : [{ name, stat }];
  });
  const blobs = await writeBlobs(git, path, present);
  const none = zeros(await git.text(["hash-object", "-w", "--stdin"], { input: "" }));
  const removals = changed.map(({ path: name }) => `0 ${none}\t${name}\0`);
  const additions = present.map(({ name, stat }, i) => `${modeOf(stat)} ${blobs[i]}\t${name}\0`);
  return withIndexCopy(git, path, async (env) => {
    await git.run(["update-index", "-z", "--index-info"], {
      cwd: path,
      env,
      input: toBytes([...removals, ...additions].join("")),
    });
    return git.text(["write-tree"], { cwd: path, env });
  });
}

/** A copy of the worktree's index to work on; the real one, and its lock, are never touched. */
export async function withIndexCopy<T>(
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
