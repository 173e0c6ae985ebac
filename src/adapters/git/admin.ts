import { existsSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failed } from "../../core/failure.ts";

/**
 * Git's own record of a worktree, `<common>/worktrees/<name>/`, read as files: which folder it is of, which branch it
 * has, and whether its checkout was finished (git writes the index last).
 */
export interface Admin {
  readonly folder: string;
  /** The worktree; null where git was killed before it wrote it down. */
  readonly worktree: string | null;
  readonly head: string | null;
  readonly filled: boolean;
}

/** The reason our worktrees are locked for: whoever reads it knows whose they are. */
export const OURS = "banksman";

export const isLockedByUs = ({ folder }: Admin): boolean => read(join(folder, "locked"))?.trim() === OURS;

export function adminOf(commonDir: string, path: string): Admin | null {
  const target = /^gitdir: (.+)$/m.exec(read(join(path, ".git")) ?? "")?.[1];
  if (target === undefined) return null;
  const folder = resolve(path, target);
  if (dirname(folder) !== join(commonDir, "worktrees")) return null;
  const admin = readAdmin(folder);
  return admin.worktree !== null && samePlace(admin.worktree, path) && admin.head !== null ? admin : null;
}

/** The git folder of one checkout, with its HEAD and index: the main one's is the shared one. Null for any other folder. */
export const gitFolderOf = (commonDir: string, path: string): string | null =>
  samePlace(join(path, ".git"), commonDir) ? commonDir : (adminOf(commonDir, path)?.folder ?? null);

/** Records that speak of `path`, or were begun for it and never finished. */
export function recordsFor(commonDir: string, path: string): Admin[] {
  const own = new RegExp(`^${basename(path).replaceAll(/[^\w-]/g, "\\$&")}\\d*$`);
  const home = join(commonDir, "worktrees");
  const names = existsSync(home) ? readdirSync(home) : [];
  const records = names.map((name) => readAdmin(join(home, name)));
  return records.filter(
    ({ worktree, folder }) => worktree === path || (worktree === null && own.test(basename(folder))),
  );
}

/** Git writes the real path; ours may lead through a link. */
const samePlace = (a: string, b: string): boolean => a === b || real(a) === real(b);

function real(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function readAdmin(folder: string): Admin {
  const gitFile = read(join(folder, "gitdir"))?.trim();
  const worktree = gitFile === undefined || gitFile === "" ? null : dirname(resolve(folder, gitFile));
  const head = read(join(folder, "HEAD"))?.trim() || null;
  return { folder, worktree, head, filled: existsSync(join(folder, "index")) };
}

/**
 * Clears what a killed `git worktree add` left, if nothing was ever checked out there; or the record of a folder that
 * somebody deleted. False when there is something.
 */
export function clearHalfMade(commonDir: string, path: string): boolean {
  const records = recordsFor(commonDir, path);
  if (records.some(({ filled }) => filled) && existsSync(path)) return false;
  const inside = existsSync(path) ? readdirSync(path) : [];
  if (inside.some((name) => name !== ".git")) return false;
  if (
    inside.length > 0 &&
    records.length === 0 &&
    adminOf(commonDir, path) === null &&
    !danglingGitFile(commonDir, path)
  )
    return false;
  if (inside.length > 0) unlinkSync(join(path, ".git"));
  if (existsSync(path)) rmdirSync(path);
  for (const { folder } of records) rmSync(folder, { recursive: true, force: true });
  return true;
}

/** A `.git` file that points at a record of this repository, which may be gone already. */
function danglingGitFile(commonDir: string, path: string): boolean {
  const target = /^gitdir: (.+)$/m.exec(read(join(path, ".git")) ?? "")?.[1];
  return target !== undefined && dirname(resolve(path, target)) === join(commonDir, "worktrees");
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Anything else (no more files may be open, a disk that fails) does not mean that it is not there.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Failed({ kind: "file.failed", path, detail: message });
  }
}
