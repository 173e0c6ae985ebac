import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Saved } from "../../core/worktrees/saved.ts";
import { unfinishedRecords } from "./admin.ts";
import { onDisk } from "./bytes.ts";
import { newIn } from "./content.ts";
import { observeWorktree } from "./observe-worktree.ts";
import { holdsOnlyCheckout } from "./only-checkout.ts";
import type { GitRunner } from "./run.ts";
import { readContent } from "./save.ts";
import { type Scratch, withScratch } from "./scratch.ts";

/** What proves that nothing is lost: a backup, or trees that are held anyway; null is "it holds no work of anybody's". */
export interface Proof {
  readonly saved: Saved | null;
  readonly trees?: readonly string[];
}

interface Removing {
  readonly commonDir: string;
  /** Waits until the repository is on disk. */
  flush(): Promise<void>;
}

/**
 * Removes a worktree and git's record of it. It looks again first: somebody may have worked there since it was saved, in a
 * restart's time or in a moment. `.git` goes last, so that a removal that is cut short can be judged and finished.
 */
export async function removeWorktree(
  git: GitRunner,
  { commonDir, flush }: Removing,
  path: string,
  proof: Proof,
): Promise<void> {
  // Every ref counts: those of a backup that was just made, and the branch, which is not removed here.
  const known = ["--glob=refs/"];
  const records = await withScratch(commonDir, async (scratch) => {
    const seen = await observeWorktree(git, commonDir, scratch, { path, branch: null, known });
    const { tree } = await readContent(git, commonDir, scratch, path, seen);
    const { facts, head, renamed } = seen;
    const moved = proof.saved !== null && seen.records.length > 0 && head !== proof.saved.head;
    const isNew = !facts.hasIndex && renamed.length === 0;
    const isBegun = async () =>
      isNew && head !== null && (await holdsOnlyCheckout(git, commonDir, scratch, { path, head }));
    const isProven = (isNew && !facts.hasFiles) || (await holdsAll(git, scratch, proof, tree)) || (await isBegun());
    if (moved || facts.commits !== 0 || !isProven) throw new Failed({ kind: "worktree.changed", path });
    return seen.records;
  });
  // What proves it may have been written a moment ago.
  await flush();
  try {
    if (existsSync(path)) await clear(path);
    for (const { folder } of records) await rm(folder, { recursive: true, force: true });
    for (const { folder, head } of unfinishedRecords(commonDir, path))
      if (head === null) await rm(folder, { recursive: true, force: true });
  } catch (error) {
    throw new Failed({ kind: "worktree.undeletable", path, detail: whyNot(error) });
  }
}

/** Of a file that may not be deleted node says only that it is no folder, which it tried next. */
function whyNot(error: unknown): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTDIR" && syscall === "scandir") return `EPERM: operation not permitted, unlink '${path}'`;
  return message ?? String(error);
}

async function holdsAll(git: GitRunner, scratch: Scratch, { saved, trees = [] }: Proof, now: string): Promise<boolean> {
  const held = [...(saved === null ? [] : [saved.tree]), ...trees];
  if (held.length === 0) return false;
  const found = await Promise.all(held.map(async (tree) => new Set(await newIn(git, scratch, tree, now))));
  return [...(found[0] ?? [])].every((name) => found.some((each) => !each.has(name)));
}

async function clear(path: string): Promise<void> {
  const names = await readdir(onDisk(path, ""), { encoding: "latin1" });
  for (const name of names) if (name !== ".git") await rm(onDisk(path, name), { recursive: true, force: true });
  await rm(join(path, ".git"), { force: true });
  await rmdir(path);
}
