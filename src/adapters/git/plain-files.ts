import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import type { ByteName } from "./bytes.ts";
import { fileLines, newIn, type Renamed, treeOfCommit, treeOfLines } from "./content.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import type { GitRunner } from "./run.ts";
import type { ContentCall, Scratch } from "./scratch.ts";
import { type ChangedPath, fileAt } from "./status.ts";

const LINK = "160000 ";

/**
 * A worktree as a tree where git's record of it is of no use: every file that git does not ignore by what is committed, read from disk. What
 * `base` has counts as tracked, so that an ignored file that was committed is in it.
 */
export async function plainFiles(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  {
    path,
    base,
    renamed,
    ignoreFiles,
  }: {
    readonly path: string;
    readonly base: Commit | null;
    readonly renamed: readonly Renamed[];
    readonly ignoreFiles: readonly ByteName[];
  },
): Promise<{ readonly tree: string; readonly changed: readonly ChangedPath[] }> {
  const env = { ...scratch.env, GIT_DIR: commonDir, GIT_WORK_TREE: path };
  const listing: ContentCall = { cwd: path, env: { ...env, GIT_INDEX_FILE: join(scratch.folder, "listing") } };
  await git.run(["read-tree", ...(base === null ? ["--empty"] : [base])], listing);
  const names = await git.names(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], listing);
  const hidden = await hiddenPaths(git, scratch, { call: listing, base, ignoreFiles });
  const present = [...new Set([...names, ...hidden])].flatMap((name) => {
    const stat = fileAt(path, name);
    return stat === null ? [] : [{ name, stat }];
  });
  const staged = await git.names(["ls-files", "-z", "--stage"], listing);
  const links = staged
    .filter((line) => line.startsWith(LINK))
    .map((line) => line.replace(/^(160000 [0-9a-f]+) 0\t/, "$1\t"))
    .map((line) => `${line}\0`);
  const writing = { cwd: path, env: { ...env, GIT_INDEX_FILE: join(scratch.folder, "plain") } };
  const tree = await treeOfLines(git, writing, [...(await fileLines(git, writing, present, renamed)), ...links]);
  return { tree, changed: await changesFrom(git, scratch, base, tree) };
}

async function changesFrom(
  git: GitRunner,
  scratch: Scratch,
  base: Commit | null,
  tree: string,
): Promise<ChangedPath[]> {
  const asChange = (path: ByteName): ChangedPath => ({ path, staged: false, unmerged: false, repository: false });
  return (await newIn(git, scratch, await treeOfCommit(git, scratch, base), tree)).map(asChange);
}
