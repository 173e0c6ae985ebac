import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { stateFolderName } from "../../core/text/naming.ts";
import { readSmall } from "./read-small.ts";

/** Where a repository is, found without running git: cheap enough for every command, and for the fast paths. */
export interface RepositoryFolders {
  /** The main checkout, or the one we stand in when the main one is bare. */
  readonly root: string;
  /** The git folder shared by all worktrees: the repository's identity. */
  readonly commonDir: string;
  readonly project: string;
}

/** Walks up from `cwd` to the repository around it; null when there is none (or a bare one, which has no checkout). */
export function locate(cwd: string): RepositoryFolders | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(join(folder, ".git"));
    if (gitDir !== null && existsSync(gitDir)) return placeOf(folder, gitDir);
    if (dirname(folder) === folder) return null;
  }
}

function placeOf(folder: string, gitDir: string): RepositoryFolders {
  const linked = read(join(gitDir, "commondir"));
  const commonDir = realpathSync(linked === null ? gitDir : resolve(gitDir, linked));
  const checkout = basename(commonDir) === ".git" && linked !== null ? dirname(commonDir) : folder;
  return { root: realpathSync(checkout), commonDir, project: projectOf(commonDir) };
}

/** The folder a project lives in names it; a bare repository's own name does. */
function projectOf(commonDir: string): string {
  const name = basename(commonDir) === ".git" ? basename(dirname(commonDir)) : basename(commonDir);
  return name.replace(/\.git$/, "") || "project";
}

function gitDirOf(dotGit: string): string | null {
  try {
    if (statSync(dotGit).isDirectory()) return statSync(join(dotGit, "HEAD")).isFile() ? dotGit : null;
  } catch {
    return null;
  }
  const target = /^gitdir: (.+)$/m.exec(read(dotGit) ?? "")?.[1];
  if (target === undefined) return null;
  return isAbsolute(target) ? target : resolve(dirname(dotGit), target);
}

function read(path: string): string | null {
  try {
    return readSmall(path).trim();
  } catch {
    return null;
  }
}

/** Everything about one repository that is not in it: journal, lock, tokens. */
export function stateFolder({ project, commonDir }: RepositoryFolders, env: NodeJS.ProcessEnv): string {
  return join(stateHome(env), stateFolderName(project, commonDir));
}

export function stateHome(env: NodeJS.ProcessEnv): string {
  if (env.BANKSMAN_STATE_DIR) return resolve(env.BANKSMAN_STATE_DIR);
  return join(env.XDG_STATE_HOME || join(env.HOME || "/", ".local", "state"), "banksman");
}
