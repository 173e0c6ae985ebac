import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Branch } from "../../core/text/ids.ts";
import { gitFolderOf } from "./admin.ts";
import { dangersIn } from "./guard.ts";
import { gitlinksIn } from "./nested.ts";
import { resolveCommit } from "./objects.ts";
import { repositoriesIn } from "./repositories-inside.ts";
import type { GitRunner } from "./run.ts";

const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Initialises submodules; one that has a branch of the run's name is put on it. What fails is said, and is no reason to stop. */
export async function fillSubmodules(
  git: GitRunner,
  commonDir: string,
  path: string,
  branch: Branch,
): Promise<string[]> {
  if (!existsSync(join(path, ".gitmodules"))) return [];
  try {
    const danger = await findDanger(git, commonDir, path);
    if (danger !== null) return [`submodules were not initialised: ${danger}`];
    // `--checkout` outvotes an update command somebody may have written into the config.
    const args = ["submodule", "update", "--init", "--recursive", "--checkout"];
    await git.run(args, { cwd: path, timeoutMs: FETCH_TIMEOUT_MS, reach: "remotes" });
    for (const folder of await submodules(git, path)) await joinBranch(git, folder, branch);
    return [];
  } catch (error) {
    if (error instanceof Failed) return [`submodules were not initialised: ${error.message}`];
    throw error;
  }
}

/**
 * Why nothing may be fetched: a submodule that is here already has a config of its own, which counts for the processes
 * git starts in it, and which says something of programs. One that is cloned afresh says nothing.
 */
async function findDanger(git: GitRunner, commonDir: string, path: string): Promise<string | null> {
  const home = gitFolderOf(commonDir, path);
  for (const folder of home === null ? [] : repositoriesIn(join(home, "modules"))) {
    const [key] = dangersIn(await git.programs({ env: { GIT_DIR: folder } }));
    if (key !== undefined) return `${folder}/config sets ${key}`;
  }
  return findDangerInside(git, path, 1);
}

const DEEPEST = 8;

async function findDangerInside(git: GitRunner, path: string, depth: number): Promise<string | null> {
  for (const folder of await submodules(git, path)) {
    const [key] = dangersIn(await git.programs({ cwd: folder }));
    if (key !== undefined) return `the git config of ${folder} sets ${key}`;
    const inside = depth === DEEPEST ? `${folder} has too many of them in each other` : null;
    const danger = inside ?? (await findDangerInside(git, folder, depth + 1));
    if (danger !== null) return danger;
  }
  return null;
}

/** As the index has them: what .gitmodules says of paths is only text, and may lead anywhere. */
async function submodules(git: GitRunner, path: string): Promise<string[]> {
  const entries = await git.fields(["ls-files", "--stage", "-z"], { cwd: path });
  const home = realpathSync(path);
  return gitlinksIn(entries)
    .map((name) => join(path, name))
    .filter((folder) => existsSync(join(folder, ".git")) && realpathSync(folder).startsWith(`${home}/`));
}

async function joinBranch(git: GitRunner, cwd: string, branch: Branch): Promise<void> {
  const known = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  for (const name of known) {
    if ((await resolveCommit(git, name, { cwd })) === null) continue;
    await git.run(["switch", "--quiet", "--no-recurse-submodules", "--", branch], { cwd });
    return;
  }
}
