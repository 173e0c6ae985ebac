import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DotGit } from "../../core/worktrees/judge-removal.ts";
import { isBlank, lookAtPath, readSmallFile } from "./small-file.ts";

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

export const isLockedByUs = ({ folder }: Admin): boolean => readSmallFile(join(folder, "locked"))?.trim() === OURS;

/** The record that a worktree's `.git` leads to; null where it leads to none of this repository that is about it. */
export function adminOf(commonDir: string, path: string): Admin | null {
  const { is, record } = lookAtDotGit(commonDir, path);
  return is === "link" && record !== null && record.head !== null ? record : null;
}

/** What `.git` in a folder is, and the record of this very folder that it leads to. */
export function lookAtDotGit(commonDir: string, path: string): { readonly is: DotGit; readonly record: Admin | null } {
  const file = join(path, ".git");
  const stat = lookAtPath(file);
  if (stat === "missing") return { is: "absent", record: null };
  if (stat === "unreadable") return { is: "unreadable", record: null };
  if (stat.isDirectory()) return { is: "folder", record: null };
  if (!stat.isFile()) return { is: "special", record: null };
  const text = readSmallFile(file);
  if (text === null) return { is: "other-file", record: null };
  if (isBlank(text)) return { is: "empty", record: null };
  const target = targetOf(text);
  if (target === null) return { is: "other-file", record: null };
  const folder = resolve(path, target);
  if (!isRecordOf(commonDir, folder)) return { is: "elsewhere", record: null };
  const record = readAdmin(folder);
  const isOwn = record.worktree !== null && samePlace(record.worktree, path);
  return isOwn ? { is: "link", record } : { is: "elsewhere", record: null };
}

/** Where a `.git` file leads: git takes nothing but this one line. */
const targetOf = (text: string): string | null => /^gitdir: ([^\n\0]+)\n*$/.exec(text)?.[1] ?? null;

const isRecordOf = (commonDir: string, folder: string): boolean => dirname(folder) === join(commonDir, "worktrees");

/** The git folder of one checkout, with its HEAD and index: the main one's is the shared one. Null for any other folder. */
export const gitFolderOf = (commonDir: string, path: string): string | null =>
  samePlace(join(path, ".git"), commonDir) ? commonDir : (adminOf(commonDir, path)?.folder ?? null);

/** The folders in which git can stand when it works on this repository, as far as they are known. */
export const foldersOf = (commonDir: string): string[] => [
  commonDir,
  ...(basename(commonDir) === ".git" ? [dirname(commonDir)] : []),
  ...allRecords(commonDir).flatMap(({ worktree }) => (worktree === null ? [] : [worktree])),
];

/** Every record that says it is of `path`. */
export const recordsOf = (commonDir: string, path: string): Admin[] =>
  allRecords(commonDir).filter(({ worktree }) => worktree !== null && samePlace(worktree, path));

/** Records that were begun under the name of `path` and never finished: they say of no folder that it is theirs. */
export function unfinishedRecords(commonDir: string, path: string): Admin[] {
  const own = new RegExp(`^${basename(path).replaceAll(/[^\w-]/g, "\\$&")}\\d*$`);
  return allRecords(commonDir).filter(({ worktree, folder }) => worktree === null && own.test(basename(folder)));
}

function allRecords(commonDir: string): Admin[] {
  const home = join(commonDir, "worktrees");
  return (existsSync(home) ? readdirSync(home) : []).map((name) => readAdmin(join(home, name)));
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
  const gitFile = lineOf(join(folder, "gitdir"));
  const worktree = gitFile === null ? null : dirname(resolve(folder, gitFile));
  return { folder, worktree, head: lineOf(join(folder, "HEAD")), filled: existsSync(join(folder, "index")) };
}

/** Null where there is nothing, or nothing yet. */
function lineOf(file: string): string | null {
  const text = readSmallFile(file);
  return text === null || isBlank(text) ? null : text.trim() || null;
}

/**
 * Clears what a killed `git worktree add` left, if nothing was ever checked out there. False when there is something
 * that this does not know.
 */
export function clearHalfMade(commonDir: string, path: string, branch: string): boolean {
  const records = [...recordsOf(commonDir, path), ...unfinishedRecords(commonDir, path)];
  const isNew = ({ filled, head }: Admin) => !filled && (head === null || head === `ref: refs/heads/${branch}`);
  if (!records.every(isNew)) return false;
  const stat = lookAtPath(path);
  if (stat === "unreadable" || (stat !== "missing" && !stat.isDirectory())) return false;
  const inside = stat === "missing" ? [] : readdirSync(path);
  if (inside.some((name) => name !== ".git")) return false;
  const { is } = lookAtDotGit(commonDir, path);
  if (inside.length > 0 && is !== "link" && is !== "empty" && !leadsToNothing(commonDir, path)) return false;
  if (inside.length > 0) unlinkSync(join(path, ".git"));
  if (stat !== "missing") rmdirSync(path);
  for (const { folder } of records) rmSync(folder, { recursive: true, force: true });
  return true;
}

/** A `.git` file that points at a record of this repository, which is gone or unfinished. */
export function leadsToNothing(commonDir: string, path: string): boolean {
  const target = targetOf(readSmallFile(join(path, ".git")) ?? "");
  if (target === null) return false;
  const folder = resolve(path, target);
  return isRecordOf(commonDir, folder) && readAdmin(folder).worktree === null;
}
