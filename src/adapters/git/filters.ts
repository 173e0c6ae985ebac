import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitCall, GitRunner, Setting } from "./run.ts";

/**
 * A runner for work on a worktree's content, in which the repository's own config cannot run programs: a filter or a
 * merge driver that is defined there is replaced by the user's of the same name, or by none. Those of the user's
 * (git-lfs as it is usually installed) stay. Read anew for each piece of work, because an agent can write that config;
 * and where the work is done, because a worktree may have a config of its own. Even calls that name no file need it: writing an index looks at files whose time stamps are in doubt, through their
 * filters.
 */
export async function filtersOff(git: GitRunner, worktree: string | null): Promise<GitRunner> {
  const there = worktree !== null && existsSync(join(worktree, ".git"));
  return git.with(await settings(git, there ? { cwd: worktree } : {}));
}

/** Behind the markers of a file whose merge driver was replaced. */
export const DRIVER_LABELS = { ours: "banksman-ours", theirs: "banksman-theirs" } as const;

const PARTS = {
  filter: { smudge: "", clean: "", process: "", required: "false" },
  /**
   * Git's own merge by lines: a driver cannot be unset, and an empty one stops the merge. What it answers for a binary
   * file would be taken for a crash by later versions of git.
   */
  merge: {
    driver: `git merge-file -q --marker-size=%L -L ${DRIVER_LABELS.ours} -L base -L ${DRIVER_LABELS.theirs} %A %O %B || exit 1`,
    recursive: "text",
  },
} as const;

async function settings(git: GitRunner, where: GitCall): Promise<Setting[]> {
  const listing = await git.fields(
    ["config", "--includes", "--show-scope", "-z", "--get-regexp", "^(filter|merge)\\..*\\."],
    { ...where, answers: [1] },
  );
  const own = new Set<string>();
  const users = new Map<string, string>();
  for (let i = 0; i + 1 < listing.length; i += 2) {
    const [key = "", ...value] = (listing[i + 1] ?? "").split("\n");
    const scope = listing[i];
    if (scope === "local" || scope === "worktree") own.add(key.slice(0, key.lastIndexOf(".")));
    else users.set(key, value.join("\n"));
  }
  return [...own].flatMap((name) =>
    Object.entries(PARTS[name.startsWith("filter.") ? "filter" : "merge"]).map(([part, none]): Setting => {
      const key = `${name}.${part}`;
      return [key, users.get(key) ?? none];
    }),
  );
}
