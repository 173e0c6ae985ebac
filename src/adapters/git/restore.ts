import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { type BackupNote, readBackupNote } from "../../core/backup-note.ts";
import { Failed } from "../../core/failure.ts";
import { isInside } from "../../core/paths.ts";
import type { Backup, Git, RestoreOrder } from "../../ports/git.ts";
import { type ByteName, onDisk, throughLink } from "./bytes.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";

export async function backups(git: GitRunner): Promise<Backup[]> {
  const format = "--format=%(refname)%00%(contents)%00";
  const fields = await git.fields(["for-each-ref", "--sort=-refname", format, "refs/banksman/backup/"]);
  const found: Backup[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const note = readBackupNote(fields[i + 1] ?? "");
    const ref = (fields[i] ?? "").trim();
    if (note !== null) found.push({ ref, ...shown(note) });
  }
  return found.sort((a, b) => b.at - a.at);
}

const shown = ({ branch, worktree, at, files, commits }: BackupNote) => ({ branch, worktree, at, files, commits });

type Maker = Pick<
  Git,
  "ensureBranch" | "addWorktree" | "fillWorktree" | "removeWorktree" | "releaseWorktree" | "deleteBranch"
>;

/** Branch, worktree, then the uncommitted files over it, raw, then the index. What fails half way is taken back. */
export async function restore(git: GitRunner, make: Maker, { ref, path, branch }: RestoreOrder): Promise<void> {
  const note = readBackupNote(await git.text(["log", "-1", "--format=%B", "--end-of-options", ref]));
  if (note === null) throw new Failed({ kind: "backup.unknown", ref, near: null });
  if (existsSync(path)) throw new Failed({ kind: "worktree.in-use", path });
  const present = await resolveCommit(git, `refs/heads/${branch}`);
  if (present !== null && present !== note.tip) throw new Failed({ kind: "backup.branch-moved", branch, ref });
  await make.ensureBranch(branch, note.tip);
  try {
    await make.addWorktree(path, branch);
    await make.fillWorktree(path);
    for (const change of await differences(git, note.tip, ref)) await lay(git, path, change);
    if (note.index !== null && note.head === note.tip)
      await git.run(["read-tree", `${note.index}^{tree}`], { cwd: path });
    await git.run(["update-index", "-q", "--refresh"], { cwd: path, answers: [1] });
    await make.releaseWorktree(path);
  } catch (error) {
    await make.removeWorktree(path, null);
    if (present === null) await make.deleteBranch(branch, note.tip);
    throw error instanceof Failed ? error : new Failed({ kind: "file.failed", path, detail: String(error) });
  }
}

interface Difference {
  readonly path: ByteName;
  readonly mode: string;
  readonly blob: string;
}

async function differences(git: GitRunner, from: string, to: string): Promise<Difference[]> {
  const fields = await git.names([
    "diff-tree",
    "-r",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--end-of-options",
    from,
    to,
  ]);
  const found: Difference[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = "", , blob = ""] = (fields[i] ?? "").split(" ");
    found.push({ path: fields[i + 1] ?? "", mode, blob });
  }
  return found.sort((a, b) => Number(b.mode === "000000") - Number(a.mode === "000000"));
}

/**
 * One path as it was. Deletions come first, so that a file may take the place of a folder and the other way round. A
 * backup is a ref that an agent could have made: no name in it leads out of the worktree, and nothing is written
 * through a link.
 */
async function lay(git: GitRunner, root: string, { path, mode, blob }: Difference): Promise<void> {
  if (!isInside(path) || path.split("/").some((part) => part.toLowerCase() === ".git"))
    throw new Failed({ kind: "file.failed", path, detail: "a backup may not hold such a name" });
  const target = onDisk(root, path);
  if (throughLink(root, path)) throw new Failed({ kind: "file.failed", path, detail: "a link leads elsewhere" });
  rmSync(target, { recursive: true, force: true });
  if (mode === "000000" || mode === "160000") return;
  mkdirSync(onDisk(root, dirname(path)), { recursive: true });
  if (mode === "120000") return symlinkSync(Buffer.from((await git.run(["cat-file", "blob", blob])).stdout), target);
  await git.run(["cat-file", "blob", blob], { output: target });
  chmodSync(target, mode === "100755" ? 0o755 : 0o644);
}
