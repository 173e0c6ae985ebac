import type { GitRunner, Setting } from "./run.ts";

/**
 * Settings that keep the repository's own config from running programs at checkout: a filter defined there is replaced
 * by the user's filter of the same name, or by none. Filters of the user's (git-lfs as it is usually installed) stay.
 */
export async function filtersOff(git: GitRunner): Promise<Setting[]> {
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
