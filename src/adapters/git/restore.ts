import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { BackupNote } from "../../core/session/backup-note.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Git, RestoreOrder } from "../../ports/git.ts";
import { adminOf, isLockedByUs } from "./admin.ts";
import { checkNames, differences, layFiles } from "./lay-files.ts";
import { resolveCommit } from "./objects.ts";
import { readNote } from "./read-note.ts";
import type { Proof } from "./remove-worktree.ts";
import type { GitRunner } from "./run.ts";
import { readSmallFile } from "./small-file.ts";

interface Maker
  extends Pick<Git, "ensureBranch" | "addWorktree" | "fillWorktree" | "releaseWorktree" | "deleteBranch"> {
  discard(path: string, proof: Proof): Promise<void>;
}

/**
 * Branch, worktree, then the uncommitted files over it, raw, then the index. One that was cut short is gone on with. What
 * fails half way is taken back, unless somebody has written there meanwhile: then it stays, to be gone on with.
 */
export async function restore(git: GitRunner, commonDir: string, make: Maker, order: RestoreOrder): Promise<void> {
  const { ref, path, branch } = order;
  const commit = await resolveCommit(git, ref);
  const note = commit === null ? null : await readNote(git, commit);
  if (commit === null || note === null) throw new Failed({ kind: "backup.unknown", ref, near: null });
  const goesOn = isHalfRestored(commonDir, path, ref);
  if (existsSync(path) && !goesOn) throw new Failed({ kind: "worktree.in-use", path });
  const present = await resolveCommit(git, `refs/heads/${branch}`);
  if (present !== null && present !== note.tip) throw new Failed({ kind: "backup.branch-moved", branch, ref });
  const changes = await differences(git, note.tip, commit);
  checkNames(changes);
  await make.ensureBranch(branch, note.tip);
  try {
    await make.addWorktree(path, branch);
    const mark = markOf(commonDir, path);
    writeFileSync(mark, ref);
    await make.fillWorktree(path);
    await layFiles(git, path, changes, { goesOn, ...(order.onProgress && { onProgress: order.onProgress }) });
    await restoreIndex(git, path, note);
    await make.releaseWorktree(path);
    rmSync(mark, { force: true });
  } catch (error) {
    await takeBack(make, order, commit, { note, isNewBranch: present === null, goesOn });
    throw error instanceof Failed ? error : new Failed({ kind: "file.failed", path, detail: String(error) });
  }
}

async function restoreIndex(git: GitRunner, path: string, note: BackupNote): Promise<void> {
  if (note.index !== null && note.head === note.tip)
    await git.run(["read-tree", `${note.index}^{tree}`], { cwd: path });
  await git.run(["update-index", "-q", "--refresh"], { cwd: path, answers: [1] });
}

/** What was made holds nothing but the backup's content, or it stays. */
async function takeBack(
  make: Maker,
  { path, branch }: RestoreOrder,
  commit: Commit,
  { note, isNewBranch, goesOn }: { note: BackupNote; isNewBranch: boolean; goesOn: boolean },
): Promise<void> {
  if (goesOn) return;
  try {
    await make.discard(path, { saved: null, trees: [`${commit}^{tree}`, `${note.tip}^{tree}`] });
    if (isNewBranch) await make.deleteBranch(branch, note.tip);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
  }
}

const MARK = "banksman-restoring";

function markOf(commonDir: string, path: string): string {
  const admin = adminOf(commonDir, path);
  if (admin === null) throw new Failed({ kind: "worktree.occupied", path });
  return join(admin.folder, MARK);
}

/** A worktree that an earlier attempt at this backup made: it says so, or nothing was ever checked out there. */
function isHalfRestored(commonDir: string, path: string, ref: string): boolean {
  const admin = adminOf(commonDir, path);
  if (admin === null) return false;
  const mark = readSmallFile(join(admin.folder, MARK));
  return mark === ref || (mark === null && !admin.filled && isLockedByUs(admin));
}
