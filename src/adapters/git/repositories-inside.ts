import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Commit } from "../../core/text/ids.ts";
import { below } from "../../core/text/paths.ts";
import type { RepositoryInside } from "../../core/worktrees/judge-removal.ts";
import type { Admin } from "./admin.ts";
import { type ByteName, isText, readable } from "./bytes.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import type { Scratch } from "./scratch.ts";
import { lookAtPath, readSmallFile } from "./small-file.ts";
import { changedPaths } from "./status.ts";
import { ignoreFilesOf, type Walked } from "./walk.ts";

/** A repository inside, with where its HEAD is: a submodule that has moved on stays that in a backup. */
export interface Probed extends RepositoryInside {
  readonly name: ByteName;
  readonly head: Commit | null;
}

/** What goes with a worktree: its folder, and git's records of it, in which its submodules' repositories lie. */
interface Going {
  readonly path: string;
  readonly records: readonly Admin[];
  readonly scratch: Scratch;
  readonly walked: Walked;
}

/**
 * Whether each repository inside of a worktree would lose something with it. One is proven to lose nothing if it is clean
 * and what it holds is also held elsewhere: by its remotes, or by the repository outside that it is a worktree of. Its
 * own config runs nothing, and nothing is fetched. What cannot be told is null.
 */
export async function probeRepositories(git: GitRunner, going: Going, folders: readonly ByteName[]): Promise<Probed[]> {
  const probed: Probed[] = [];
  const seen = new Set<string>();
  for (const name of folders) {
    const gitDir = isText(name) ? gitDirOf(`${going.path}/${readable(name)}`) : null;
    probed.push(await probe(git, going, name, gitDir));
    for (const inner of gitDir === null ? [] : repositoriesIn(join(gitDir, "modules"))) {
      seen.add(inner);
      probed.push(await probeBare(git, going, name, inner));
    }
    if (gitDir !== null) seen.add(gitDir);
  }
  // Submodules that are not checked out now; those that are have been looked at in their folder.
  for (const { folder } of going.records)
    for (const inner of repositoriesIn(join(folder, "modules")))
      if (!seen.has(inner)) probed.push(await probeBare(git, going, inner.slice(folder.length + 1), inner));
  return probed;
}

/** A repository without files of its own: a bare one, or that of a submodule which is not checked out. */
export async function probeBare(git: GitRunner, going: Going, name: ByteName, gitDir: string): Promise<Probed> {
  const env = { GIT_DIR: gitDir };
  const ownCommits = await hasOwnCommits(git, going, gitDir, env);
  return { name, path: readable(name), clean: true, ownCommits, head: null };
}

async function probe(git: GitRunner, going: Going, name: ByteName, gitDir: string | null): Promise<Probed> {
  const path = readable(name);
  if (gitDir === null) return { name, path, clean: null, ownCommits: null, head: null };
  const folder = `${going.path}/${path}`;
  const call = { cwd: folder, env: { GIT_DIR: gitDir, GIT_WORK_TREE: folder } };
  const clean = await told(async () => {
    if ((await changedPaths(git, call, "ignored")).length > 0) return false;
    const base = await resolveCommit(git, "HEAD", call);
    const hiding = { call, base, ignoreFiles: ignoreFilesOf(going.walked, name) };
    return (await hiddenPaths(git, going.scratch, hiding)).length === 0;
  });
  const ownCommits = await hasOwnCommits(git, going, gitDir, call.env);
  const head = await told(() => resolveCommit(git, "HEAD", call));
  return { name, path, clean, ownCommits, head };
}

/** Where the `.git` of a folder leads; null where it leads to no repository. */
function gitDirOf(folder: string): string | null {
  const dotGit = join(folder, ".git");
  const stat = lookAtPath(dotGit);
  if (typeof stat === "string") return null;
  if (stat.isDirectory()) return existsSync(join(dotGit, "HEAD")) ? dotGit : null;
  const target = stat.isFile() ? /^gitdir: ([^\n\0]+)\n*$/.exec(readSmallFile(dotGit) ?? "")?.[1] : undefined;
  const gitDir = target === undefined ? null : resolve(folder, target);
  return gitDir !== null && existsSync(join(gitDir, "HEAD")) ? gitDir : null;
}

async function hasOwnCommits(git: GitRunner, going: Going, gitDir: string, env: Environment): Promise<boolean | null> {
  const shared = commonDirOf(gitDir);
  const goes = isGoing(going, shared);
  return told(async () => {
    if (goes && (await hasRemoteInside(git, going, env))) return null;
    // Of a repository that stays, only what no ref holds is lost: a HEAD without a branch. Of one that goes, everything
    // that its remotes do not have, with what only a reflog remembers.
    const args = goes
      ? ["--all", "--reflog", "--not", "--ignore-missing", "--remotes"]
      : ["HEAD", "--not", "--ignore-missing", "--branches", "--remotes", "--tags"];
    return (await git.text(["rev-list", "--max-count=1", ...args], { env })) !== "";
  });
}

/** A remote that goes as well holds nothing for anybody. */
async function hasRemoteInside(git: GitRunner, going: Going, env: Environment): Promise<boolean> {
  const fields = await git.fields(["config", "-z", "--get-regexp", "^remote\\..*\\.url$"], { env, answers: [1] });
  return fields.some((field) => {
    const url = field.slice(field.indexOf("\n") + 1).replace(/^file:\/\//, "");
    return url.startsWith(".") || (url.startsWith("/") && isGoing(going, resolve(url)));
  });
}

const isGoing = ({ path, records }: Going, place: string): boolean =>
  [path, ...records.map(({ folder }) => folder)].some((each) => below(place, each));

/** The git folder that all worktrees of a repository share. */
function commonDirOf(gitDir: string): string {
  const linked = readSmallFile(join(gitDir, "commondir"))?.trim();
  return linked === undefined || linked === "" ? gitDir : resolve(gitDir, linked);
}

/** The git folders of submodules, whether they are checked out or not. */
export function repositoriesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  if (existsSync(join(folder, "HEAD"))) return [folder, ...repositoriesIn(join(folder, "modules"))];
  const inside = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  return inside.flatMap(({ name }) => repositoriesIn(join(folder, name)));
}

/** Null where git cannot tell: it is damaged, or made by a git that knows more than ours. */
async function told<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "git.failed") return null;
    throw error;
  }
}
