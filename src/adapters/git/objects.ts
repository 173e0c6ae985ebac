import type { Environment } from "../../core/clis/environment.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { GitCall, GitRunner } from "./run.ts";

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
export async function resolveCommit(git: GitRunner, name: string, where: GitCall = {}): Promise<Commit | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const text = await git.text(args, { ...where, answers: [1, 128] });
  return /^[0-9a-f]{40,64}$/.test(text) ? (text as Commit) : null;
}

/** The commits that names stand for, by one process; null for a name that stands for none. */
export async function resolveCommits(
  git: GitRunner,
  names: readonly string[],
  where: GitCall = {},
): Promise<(Commit | null)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}^{commit}\n`).join("");
  const { code, stdout } = await git.run(["cat-file", "--batch-check=%(objectname)"], {
    ...where,
    input,
    answers: [128],
  });
  // A damaged object stops git in the middle: then each by itself.
  if (code !== 0) return Promise.all(names.map((name) => resolveCommit(git, name, where)));
  const lines = Buffer.from(stdout).toString("utf8").split("\n");
  return names.map((_, i) => (/^[0-9a-f]{40,64}$/.test(lines[i] ?? "") ? (lines[i] as Commit) : null));
}

export async function commitTree(
  git: GitRunner,
  tree: string,
  parents: readonly string[],
  message: string,
  env: Environment = {},
): Promise<Commit> {
  const args = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), "-F", "-", tree];
  return (await git.text(args, { env: { ...env, ...OURS }, input: message })) as Commit;
}
