import type { GitRunner, Setting } from "./run.ts";

/**
 * A runner for work on a worktree's content, in which the repository's own config cannot run programs: a filter that
 * is defined there is replaced by the user's filter of the same name, or by none. Filters of the user's (git-lfs as it
 * is usually installed) stay. Read anew for each piece of work, because an agent can write that config. Even calls that
 * name no file need it: writing an index looks at files whose time stamps are in doubt, through their filters.
 */
export async function filtersOff(git: GitRunner): Promise<GitRunner> {
  return git.with(await settings(git));
}

async function settings(git: GitRunner): Promise<Setting[]> {
  const listing = await git.fields(["config", "--includes", "--show-scope", "-z", "--get-regexp", "^filter\\."], {
    answers: [1],
  });
  const own = new Map<string, string>();
  const users = new Map<string, string>();
  for (let i = 0; i + 1 < listing.length; i += 2) {
    const [key = "", ...value] = (listing[i + 1] ?? "").split("\n");
    const scope = listing[i];
    (scope === "local" || scope === "worktree" ? own : users).set(key, value.join("\n"));
  }
  const names = new Set([...own.keys()].map((key) => key.slice(0, key.lastIndexOf("."))));
  return [...names].flatMap((name) =>
    ["smudge", "clean", "process", "required"].map((part): Setting => {
      const key = `${name}.${part}`;
      return [key, users.get(key) ?? (part === "required" ? "false" : "")];
    }),
  );
}
