import type { Command } from "../../ports/command.ts";
import { GitRunner } from "./run.ts";

/** Which files of a worktree are as they were, next to HEAD and next to where its branch began. Names from its top. */
export interface FilesObserved {
  /** Null where HEAD is detached. */
  readonly branch: string | null;
  readonly base: string | null;
  readonly atHead: readonly string[];
  readonly changedSinceHead: readonly string[];
  readonly atBase: readonly string[];
  readonly changedSinceBase: readonly string[];
  /** Tracked, and new ones that are not ignored. */
  readonly now: readonly string[];
}

const TIMEOUT_MS = 30_000;
/** No program of the repository's config is run for a diff. */
const CHANGED = ["diff", "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames", "-z"];

/** `bases` are the names the branch may have begun at, the likeliest first. */
export function createFilesObserver(command: Command, commonDir: string, env: NodeJS.ProcessEnv) {
  return async (worktree: string, bases: readonly string[]): Promise<FilesObserved> => {
    const git = new GitRunner(command, worktree, env, { commonDir, timeoutMs: TIMEOUT_MS });
    const list = (commit: string) => git.fields(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
    const changed = (commit: string) => git.fields([...CHANGED, commit, "--"]);
    const now = git.fields(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    const branch = (await git.text(["symbolic-ref", "--quiet", "--short", "HEAD"], { answers: [1] })) || null;
    const head = (await git.text(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { answers: [1] })) || null;
    if (head === null)
      return { branch, base: null, atHead: [], changedSinceHead: [], atBase: [], changedSinceBase: [], now: await now };
    const base = await firstBase(git, head, bases);
    const none = Promise.resolve([]);
    const [atHead, changedSinceHead, atBase, changedSinceBase, all] = await Promise.all([
      list(head),
      changed(head),
      base === null ? none : list(base),
      base === null ? none : changed(base),
      now,
    ]);
    return { branch, base, atHead, changedSinceHead, atBase, changedSinceBase, now: all };
  };
}

async function firstBase(git: GitRunner, head: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const found = await git.text(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`], {
      answers: [1, 128],
    });
    if (found === "") continue;
    const base = await git.text(["merge-base", head, found], { answers: [1] });
    if (base !== "") return base;
  }
  return null;
}
