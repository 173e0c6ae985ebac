import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import { hasContent, type WorktreeFacts } from "../../core/worktrees/judge-removal.ts";
import { type Admin, lookAtDotGit, recordsOf } from "./admin.ts";
import { type ByteName, isText, readable } from "./bytes.ts";
import type { Renamed } from "./content.ts";
import { heldCommits } from "./held-commits.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { resolveCommit } from "./objects.ts";
import { type Probed, probeBare, probeRepositories } from "./repositories-inside.ts";
import type { GitRunner } from "./run.ts";
import type { ContentCall, Scratch } from "./scratch.ts";
import { lookAtPath } from "./small-file.ts";
import { type ChangedPath, changedPaths } from "./status.ts";
import { ignoreFilesOf, type Walked, walk } from "./walk.ts";

/** Which worktree, whose branch, and by what its commits are held without it: arguments of `rev-list` after `--not`. */
export interface Observing {
  readonly path: string;
  readonly branch: Branch | null;
  readonly known: readonly string[];
}

/** A worktree as far as its removal depends on it. */
export interface SeenWorktree {
  readonly facts: WorktreeFacts;
  readonly records: readonly Admin[];
  /** Null where no record of it says where it is. */
  readonly head: Commit | null;
  readonly tip: Commit | null;
  /** What its files are compared with. */
  readonly base: Commit | null;
  /** Every commit that goes with its record or its branch. */
  readonly commits: readonly Commit[];
  readonly renamed: readonly Renamed[];
  readonly inside: readonly Probed[];
  /** Its own ignore files, not those of repositories inside. */
  readonly ignoreFiles: readonly ByteName[];
  /** With git's record of it, where git can list what has changed. */
  readonly listed: { readonly changed: readonly ChangedPath[]; readonly call: ContentCall } | null;
}

/**
 * Looks at everything a worktree holds, without writing to it. Git is asked by its record of the worktree and not by what
 * `.git` says, which an agent may have replaced: nothing else is ever looked at in its name.
 */
export async function observeWorktree(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  { path, branch, known }: Observing,
): Promise<SeenWorktree> {
  const stat = lookAtPath(path);
  const place = stat === "missing" ? "nothing" : stat === "unreadable" || stat.isDirectory() ? "folder" : "other";
  const dotGit = place === "folder" ? lookAtDotGit(commonDir, path).is : "absent";
  const records = recordsOf(commonDir, path);
  const walked = place === "folder" ? await walk(path) : NOTHING;
  const [blocking] = walked.blocking;
  if (blocking !== undefined) throw new Failed({ kind: "git.blocked", path: join(path, readable(blocking)) });
  const listed = await listChanges(git, scratch, { path, place, records, walked });
  const inside = await repositories(git, commonDir, scratch, { path, records, walked, listed });
  const held = await Promise.all(records.map((record) => heldCommits(git, record)));
  const tip = branch === null ? null : await resolveCommit(git, `refs/heads/${branch}`);
  const commits = [...new Set([...held.flatMap(({ all }) => all), ...(tip === null ? [] : [tip])])];
  const renamed = hasContent(dotGit) ? [asidePath(path)] : [];
  const facts = {
    place,
    dotGit,
    hasFiles: walked.hasFiles,
    hasIndex: records.some(({ folder }) => existsSync(join(folder, "index"))),
    changed: listed === null ? null : listed.changed.length,
    commits: await countOnlyHere(git, commits, known),
    repositories: inside,
    unreadable: walked.unreadable,
  } as const;
  const head = held[0]?.head ?? null;
  const ignoreFiles = ignoreFilesOf(walked, "");
  return { facts, records, head, tip, base: head ?? tip, commits, renamed, inside, ignoreFiles, listed };
}

const NOTHING: Walked = { hasFiles: false, repositories: [], bare: [], ignoreFiles: [], blocking: [], unreadable: [] };

/** Under this name `.git` is in a backup where it is a file that somebody wrote. */
const ASIDE = "dot-git";

function asidePath(path: string): Renamed {
  const names = (function* () {
    yield ASIDE;
    for (let n = 2; ; n++) yield `${ASIDE}-${n}`;
  })();
  for (const as of names)
    if (!existsSync(join(path, as))) return { name: ".git", stat: lstatSync(join(path, ".git")), as };
  throw new Error("unreachable: the names are endless");
}

/** Null where git cannot list it: there is no record of it, or several, or its index cannot be read. */
async function listChanges(
  git: GitRunner,
  scratch: Scratch,
  {
    path,
    place,
    records,
    walked,
  }: Pick<SeenWorktree, "records"> & Pick<WorktreeFacts, "place"> & { path: string; walked: Walked },
): Promise<SeenWorktree["listed"]> {
  const [record, another] = records;
  if (record === undefined || another !== undefined || record.head === null || place === "other") return null;
  const env = { ...scratch.env, GIT_DIR: record.folder };
  const call = place === "folder" ? { cwd: path, env: { ...env, GIT_WORK_TREE: path } } : { cwd: record.folder, env };
  try {
    if (place !== "folder") return { changed: await stagedPaths(git, call), call };
    const base = await resolveCommit(git, "HEAD", call);
    const hidden = await hiddenPaths(git, scratch, { call, base, ignoreFiles: ignoreFilesOf(walked, "") });
    return { changed: [...(await changedPaths(git, call)), ...hidden.map(asNew)], call };
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "git.failed") return null;
    throw error;
  }
}

const asNew = (path: ByteName): ChangedPath => ({ path, staged: false, unmerged: false, repository: false });

/** Of a worktree whose folder is gone: what its index has and HEAD has not. */
async function stagedPaths(git: GitRunner, call: ContentCall): Promise<ChangedPath[]> {
  const against =
    (await resolveCommit(git, "HEAD", call)) ?? (await git.text(["hash-object", "-t", "tree", "/dev/null"]));
  const args = ["diff-index", "--cached", "-z", "--no-renames", "--name-only", "--diff-filter=d", against];
  return (await git.names(args, call)).map((name) => ({
    path: name,
    staged: true,
    unmerged: false,
    repository: false,
  }));
}

async function repositories(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  { path, records, walked, listed }: Pick<SeenWorktree, "records" | "listed"> & { path: string; walked: Walked },
): Promise<Probed[]> {
  const going = { path, records, scratch, walked };
  const found = await probeRepositories(git, going, walked.repositories);
  // Without an index of its own nothing counts as tracked, and least of all what the main checkout tracks.
  const plain = {
    ...scratch.env,
    GIT_DIR: commonDir,
    GIT_WORK_TREE: path,
    GIT_INDEX_FILE: join(scratch.folder, "none"),
  };
  const call = listed?.call ?? { cwd: path, env: plain };
  for (const name of walked.bare) {
    if (await isSavedAsFiles(git, call, name)) continue;
    found.push(await probeBare(git, going, name, `${path}/${readable(name)}`));
  }
  return found;
}

/** Whether all that a folder holds is tracked or untracked, and nothing of it ignored: then its files are the backup. */
async function isSavedAsFiles(git: GitRunner, call: ContentCall, name: ByteName): Promise<boolean> {
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"];
  const env = { ...call.env, GIT_LITERAL_PATHSPECS: "1" };
  const { code, stdout } = await git.run([...args, readable(name)], { ...call, env, answers: [128] });
  return isText(name) && code === 0 && stdout.length === 0;
}

/** Null where the history cannot be read. A ref of somebody else's that leads nowhere holds nothing, and is left out. */
async function countOnlyHere(
  git: GitRunner,
  commits: readonly Commit[],
  known: readonly string[],
): Promise<number | null> {
  if (commits.length === 0) return 0;
  const args = ["rev-list", "--count", "--exclude-promisor-objects", ...commits, "--not", "--ignore-missing", ...known];
  const { code, stdout } = await git.run(args, { answers: [128] });
  return code === 0 ? Number(Buffer.from(stdout).toString("utf8")) : null;
}
