import { statSync } from "node:fs";
import { join } from "node:path";
import { gitFolderOf } from "./admin.ts";
import { filtersOff } from "./filters.ts";
import type { GitRunner } from "./run.ts";

/** The user's own config may change, too, and is not looked at each time. */
const TRUSTED_MS = 10_000;

/**
 * `filtersOff` without asking git each time: as long as the repository's and the worktree's config are the very same
 * files. A file that is written, or put in its place, has another change time, which nobody but root can set. Config
 * that includes other files is asked about every time.
 */
export function rememberFilters(commonDir: string): (git: GitRunner, worktree: string | null) => Promise<GitRunner> {
  const remembered = new Map<string, { readonly state: string; readonly until: number; readonly git: GitRunner }>();
  return async (git, worktree) => {
    const own = worktree === null ? null : gitFolderOf(commonDir, worktree);
    const states = [join(commonDir, "config"), join(own ?? commonDir, "config.worktree")].map(stateOf);
    const state = states.includes(null) ? null : states.join();
    const known = remembered.get(worktree ?? "");
    if (known?.state === state && performance.now() < known.until) return known.git;
    remembered.delete(worktree ?? "");
    const safe = await filtersOff(git, worktree);
    const where = worktree === null || own === null ? {} : { cwd: worktree };
    const args = ["config", "--show-scope", "--get-regexp", "^include(if)?\\."];
    const includes = await git.text(args, { ...where, answers: [1] });
    if (state === null || /^(local|worktree)\b/m.test(includes)) return safe;
    remembered.set(worktree ?? "", { state, until: performance.now() + TRUSTED_MS, git: safe });
    return safe;
  };
}

/** A moment long a second write could go unnoticed: clocks of file systems tick a few milliseconds apart. */
const TOO_YOUNG_MS = 100;

/** Null while it cannot be told from what it will be in a moment. */
function stateOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return "";
  if (Date.now() - Number(stat.ctimeMs) < TOO_YOUNG_MS) return null;
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}
