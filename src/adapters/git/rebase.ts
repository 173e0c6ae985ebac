import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { RebaseOrder } from "../../ports/git.ts";
import type { Admin } from "./admin.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { changedPaths } from "./status.ts";

const TIMEOUT_MS = 5 * 60_000;

/** Only what nobody else can have seen is moved, and only where it goes without a question. */
export async function rebase(
  git: GitRunner,
  admin: Admin,
  { path, branch, onto }: Pick<RebaseOrder, "path" | "branch" | "onto">,
  saveFirst: () => Promise<string | null>,
): Promise<string[]> {
  if (["rebase-merge", "rebase-apply"].some((name) => existsSync(join(admin.folder, name))))
    await git.run(["rebase", "--abort"], { cwd: path });
  const [tip, base] = [
    await resolveCommit(git, `refs/heads/${branch}`),
    await resolveCommit(git, `refs/heads/${onto}`),
  ];
  if (tip === null || base === null || branch === onto) return [];
  const behind = await git.run(["merge-base", "--is-ancestor", base, tip], { answers: [1] });
  if (behind.code === 0) return [];
  const pushed = await git.text(["for-each-ref", "--format=%(refname)", `refs/remotes/*/${branch}`]);
  if (pushed !== "") return [`${branch} is behind ${onto} and was not rebased: it has been pushed`];
  if ((await changedPaths(git, { cwd: path })).length > 0)
    return [`${branch} is behind ${onto} and was not rebased: it is not clean`];
  let saved: string | null;
  try {
    saved = await saveFirst();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return [`${branch} is behind ${onto} and was not rebased: ${error.message.split("\n")[0]}`];
  }
  try {
    const call = { cwd: path, timeoutMs: TIMEOUT_MS, reach: "content" } as const;
    await git.run(["rebase", "--quiet", "--no-autostash", base], call);
    return [`${branch} was rebased onto ${onto}; as it was before, it is saved as ${saved ?? tip}`];
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const why = (await hasConflicts(git, path)) ? " (conflicts)" : `: ${reasonOf(error)}`;
    await git.run(["rebase", "--abort"], { cwd: path, answers: [128] });
    return [`${branch} could not be rebased onto ${onto}${why}; it is where it was`];
  }
}

const hasConflicts = async (git: GitRunner, cwd: string): Promise<boolean> =>
  (await git.run(["ls-files", "--unmerged", "-z"], { cwd })).stdout.length > 0;

/** Git's own words, without its advice. */
function reasonOf({ failure, message }: Failed): string {
  const words = failure.kind === "git.failed" ? failure.detail : message;
  const lines = words.split("\n").filter((line) => line !== "" && !line.startsWith("hint:"));
  return lines.slice(0, 3).join(" · ");
}
