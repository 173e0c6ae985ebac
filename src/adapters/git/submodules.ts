import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure.ts";
import type { Branch } from "../../core/ids.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";

const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Initialises submodules; one that has a branch of the run's name is put on it. What fails is said, and is no reason to stop. */
export async function fillSubmodules(git: GitRunner, path: string, branch: Branch): Promise<string[]> {
  if (!existsSync(join(path, ".gitmodules"))) return [];
  try {
    await git.run(["submodule", "update", "--init", "--recursive"], { cwd: path, timeoutMs: FETCH_TIMEOUT_MS });
    const listed = await git.fields(["config", "--file", ".gitmodules", "-z", "--get-regexp", "\\.path$"], {
      cwd: path,
      answers: [1],
    });
    const folders = listed.map((line) => join(path, line.slice(line.indexOf("\n") + 1)));
    for (const folder of folders) await joinBranch(git, folder, branch);
    return [];
  } catch (error) {
    if (error instanceof Failed) return [`submodules were not initialised: ${error.message}`];
    throw error;
  }
}

async function joinBranch(git: GitRunner, cwd: string, branch: Branch): Promise<void> {
  const known = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  for (const name of known) {
    if ((await resolveCommit(git, name, cwd)) === null) continue;
    await git.run(["switch", "--no-recurse-submodules", "--", branch], { cwd });
    return;
  }
}
