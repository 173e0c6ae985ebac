import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure.ts";
import type { Branch } from "../../core/ids.ts";
import type { Admin } from "./admin.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { changedPaths } from "./status.ts";

const TIMEOUT_MS = 5 * 60_000;

/** `git` has filters off. Only what nobody else can have seen is moved, and only where it goes without a question. */
export async function rebase(
  git: GitRunner,
  admin: Admin,
  { path, branch, onto }: { path: string; branch: Branch; onto: Branch },
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
  if ((await changedPaths(git, path)).length > 0)
    return [`${branch} is behind ${onto} and was not rebased: it is not clean`];
  try {
    await git.run(["rebase", "--quiet", "--no-autostash", base], { cwd: path, timeoutMs: TIMEOUT_MS });
    return [];
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    await git.run(["rebase", "--abort"], { cwd: path, answers: [128] });
    return [`${branch} could not be rebased onto ${onto} (conflicts), and is where it was`];
  }
}
