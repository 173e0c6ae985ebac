import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure.ts";
import type { Branch } from "../../core/ids.ts";
import type { Admin } from "./admin.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";

const FETCH_TIMEOUT_MS = 10 * 60_000;
const GITLINK = "160000";

/** Initialises submodules; one that has a branch of the run's name is put on it. What fails is said, and is no reason to stop. */
export async function fillSubmodules(git: GitRunner, path: string, branch: Branch): Promise<string[]> {
  if (!existsSync(join(path, ".gitmodules"))) return [];
  try {
    // `--checkout` outvotes an update command somebody may have written into the config.
    const args = ["submodule", "update", "--init", "--recursive", "--checkout"];
    await git.run(args, { cwd: path, timeoutMs: FETCH_TIMEOUT_MS });
    for (const folder of await submodules(git, path)) await joinBranch(git, folder, branch);
    return [];
  } catch (error) {
    if (error instanceof Failed) return [`submodules were not initialised: ${error.message}`];
    throw error;
  }
}

/** As the index has them: what .gitmodules says of paths is only text, and may lead anywhere. */
async function submodules(git: GitRunner, path: string): Promise<string[]> {
  const entries = await git.fields(["ls-files", "--stage", "-z"], { cwd: path });
  const home = realpathSync(path);
  return entries
    .filter((entry) => entry.startsWith(`${GITLINK} `))
    .map((entry) => join(path, entry.slice(entry.indexOf("\t") + 1)))
    .filter((folder) => existsSync(join(folder, ".git")) && realpathSync(folder).startsWith(`${home}/`));
}

async function joinBranch(git: GitRunner, cwd: string, branch: Branch): Promise<void> {
  const known = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  for (const name of known) {
    if ((await resolveCommit(git, name, cwd)) === null) continue;
    await git.run(["switch", "--no-recurse-submodules", "--", branch], { cwd });
    return;
  }
}

/**
 * Whether a submodule of this worktree has a commit that none of its remotes has: its repository lies in the worktree's
 * record and is removed with it.
 */
export async function hasOwnCommits(git: GitRunner, admin: Admin | null): Promise<boolean> {
  for (const folder of admin === null ? [] : repositoriesIn(join(admin.folder, "modules"))) {
    const args = ["rev-list", "--max-count=1", "--all", "HEAD", "--not", "--remotes"];
    const found = await git.run(args, { env: { GIT_DIR: folder }, answers: [128] });
    if (found.code === 0 && found.stdout.length > 0) return true;
  }
  return false;
}

function repositoriesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (existsSync(join(folder, "HEAD"))) return [folder, ...repositoriesIn(join(folder, "modules"))];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  return inside.flatMap(({ name }) => repositoriesIn(join(folder, name)));
}
