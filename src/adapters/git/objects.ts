import type { Commit } from "../../core/ids.ts";
import type { GitRunner } from "./run.ts";

/** Backups are ours, not the user's: their commits say so. */
const OURS = {
  GIT_AUTHOR_NAME: "banksman",
  GIT_AUTHOR_EMAIL: "banksman@localhost",
  GIT_COMMITTER_NAME: "banksman",
  GIT_COMMITTER_EMAIL: "banksman@localhost",
};

/** What git calls nothing, as long as this repository's names are. */
export const zeros = (name: string): string => "0".repeat(name.length);

/** The commit a name stands for, or null. */
export async function resolveCommit(git: GitRunner, name: string, cwd?: string): Promise<Commit | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const text = await git.text(args, { answers: [1, 128], ...(cwd !== undefined && { cwd }) });
  return /^[0-9a-f]{40,64}$/.test(text) ? (text as Commit) : null;
}

export async function commitTree(
  git: GitRunner,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<Commit> {
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  return (await git.text(args, { env: OURS, input: message })) as Commit;
}
