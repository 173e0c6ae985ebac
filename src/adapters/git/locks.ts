import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { Branch } from "../../core/text/ids.ts";
import { below } from "../../core/text/paths.ts";
import { foldersOf } from "./admin.ts";
import { lookAtPath } from "./small-file.ts";

/**
 * Removes the locks on a worktree's index and HEAD and on its branch that nobody holds any more: a git that was killed
 * leaves them, and every later one fails on them. A holder is a process that has the lock open, or any git in this
 * worktree. Where processes cannot be looked at, locks stay. Answers with what was removed.
 */
export function clearLocks(
  commonDir: string,
  record: string | null,
  branch: Branch | null,
  worktree?: string,
): string[] {
  const wanted = [
    ...(record === null ? [] : ["index.lock", "HEAD.lock"].map((name) => join(record, name))),
    ...(branch === null ? [] : [join(commonDir, "refs/heads", `${branch}.lock`)]),
  ];
  const locks = wanted.filter((file) => isFile(file));
  if (locks.length === 0) return [];
  const free = locks.filter(
    (lock) => isHeld(lock, [commonDir, ...(worktree === undefined ? [] : [worktree])]) === false,
  );
  for (const lock of free) rmSync(lock, { force: true });
  return free;
}

/**
 * Removes the lock that git says is in its way, where it is one on refs and nobody holds it:
 * a git of ours that was killed, with its supervisor or alone, leaves it. True where there is none any more.
 */
export function clearDeadLock(commonDir: string, stderr: string): boolean {
  const lock = /Unable to create '([^\n]*\.lock)': File exists/.exec(stderr)?.[1];
  if (lock === undefined || !below(lock, commonDir)) return false;
  const name = lock.slice(commonDir.length + 1);
  return /^(refs\/.*|packed-refs)\.lock$/s.test(name) && clearUnlessHeld(commonDir, lock);
}

/** One lock, of which is known that git makes it. True where there is none any more. */
export function clearUnlessHeld(commonDir: string, lock: string): boolean {
  if (!isFile(lock)) return lookAtPath(lock) === "missing";
  if (isHeld(lock, foldersOf(commonDir), false) !== false) return false;
  rmSync(lock, { force: true });
  return true;
}

function isFile(path: string): boolean {
  const stat = lookAtPath(path);
  return typeof stat !== "string" && stat.isFile();
}

/** By /proc, so on Linux alone; null where that cannot be told. Programs of other users have no lock of ours. */
function isHeld(lock: string, folders: readonly string[], looksAside = true): boolean | null {
  if (!existsSync("/proc/self/fd")) return null;
  const { dev, ino } = lstatSync(lock);
  const real = folders.filter(existsSync).map((folder) => realpathSync(folder));
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => isGitIn(pid, real, looksAside) || hasOpen(pid, dev, ino));
}

/** Git stands in the worktree it works on; a lock it holds may be closed while an editor or a hook of its runs. */
function isGitIn(pid: string, folders: readonly string[], looksAside: boolean): boolean {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    if (!/^git(-|$)/.test(name)) return false;
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return folders.some((folder) => below(cwd, folder)) && !(looksAside && isOurLook(pid));
  } catch {
    return false;
  }
}

/** What we run ourselves beside an agent only looks, and takes no lock. */
const isOurLook = (pid: string): boolean =>
  /(^|\0)BANKSMAN_RUN=[^\0]*\.command\0/.test(readFileSync(`/proc/${pid}/environ`, "latin1"));

function hasOpen(pid: string, dev: number, ino: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const stat = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
      return stat?.dev === dev && stat.ino === ino;
    });
  } catch {
    return false;
  }
}
