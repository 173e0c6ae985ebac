import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import { modeOf, type Present, writeBlobs } from "./blobs.ts";
import { type ByteName, toBytes } from "./bytes.ts";
import { copyIndex } from "./copy-index.ts";
import { zeros } from "./objects.ts";
import type { Probed } from "./repositories-inside.ts";
import type { GitRunner } from "./run.ts";
import type { ContentCall, Scratch } from "./scratch.ts";
import { type ChangedPath, fileAt } from "./status.ts";

/** A file that the worktree holds under a name that no tree may have. */
export interface Renamed extends Present {
  readonly as: ByteName;
}

/** What differs from the index, and what has to be known to make a tree of it. */
export interface Changes {
  readonly changed: readonly ChangedPath[];
  readonly renamed: readonly Renamed[];
  readonly inside: readonly Probed[];
}

export async function treeOfCommit(git: GitRunner, { env }: Scratch, commit: Commit | null): Promise<string> {
  if (commit === null) return git.text(["hash-object", "-t", "tree", "-w", "--stdin"], { env, input: "" });
  return git.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`]);
}

/** The paths at which `now` has something that `then` does not have: a worktree that is half removed has none. */
export async function newIn(git: GitRunner, { env }: Scratch, then: string, now: string): Promise<ByteName[]> {
  if (then === now) return [];
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--diff-filter=d", "--name-only"];
  return git.names([...args, "--end-of-options", then, now], { env });
}

/** The worktree as a tree: the index's entries, with every changed path as it is on disk. */
export function treeOfChanges(
  git: GitRunner,
  scratch: Scratch,
  call: ContentCall,
  { changed, renamed, inside }: Changes,
): Promise<string> {
  const present = changed.flatMap(({ path: name }) => {
    const stat = fileAt(call.cwd, name);
    return stat === null ? [] : [{ name, stat }];
  });
  const heads = new Map(inside.map(({ name, head }) => [name, head]));
  return withIndexCopy(git, scratch, call, async (copy) => {
    const none = zeros(await git.text(["hash-object", "-w", "--stdin"], { env: copy.env, input: "" }));
    const removals = changed.map(({ path: name }) => `0 ${none}\t${name}\0`);
    const links = changed.flatMap(({ path: name }) => (heads.get(name) ? [linkTo(heads.get(name) ?? "", name)] : []));
    const lines = [...removals, ...(await fileLines(git, copy, present, renamed)), ...links];
    return treeOfLines(git, copy, lines);
  });
}

/** A submodule, or another repository inside, as its commit. */
export const linkTo = (commit: string, name: ByteName): string => `160000 ${commit}\t${name}\0`;

/** Lines for the index, the files' bytes written as objects. */
export async function fileLines(
  git: GitRunner,
  call: ContentCall,
  present: readonly Present[],
  renamed: readonly Renamed[],
): Promise<string[]> {
  const all = [...present, ...renamed];
  const names = [...present.map(({ name }) => name), ...renamed.map(({ as }) => as)];
  const blobs = await writeBlobs(git, call, all);
  return all.map(({ stat }, i) => `${modeOf(stat)} ${blobs[i]}\t${names[i]}\0`);
}

/** The tree of the call's index after these lines. */
export async function treeOfLines(git: GitRunner, call: ContentCall, lines: readonly string[]): Promise<string> {
  await git.run(["update-index", "-z", "--index-info"], { ...call, input: toBytes(lines.join("")) });
  return git.text(["write-tree"], call);
}

/** A copy of the worktree's index to work on; the real one, and its lock, are never touched. */
export async function withIndexCopy<T>(
  git: GitRunner,
  scratch: Scratch,
  call: ContentCall,
  work: (copy: ContentCall) => Promise<T>,
): Promise<T> {
  const index = await git.text(["rev-parse", "--path-format=absolute", "--git-path", "index"], call);
  const copy = join(scratch.folder, "index");
  if (existsSync(index)) copyIndex(index, copy);
  return work({ ...call, env: { ...call.env, GIT_INDEX_FILE: copy } });
}
