import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { type BackupNote, writeBackupNote } from "../../core/session/backup-note.ts";
import type { Unsaved } from "../../core/session/purge.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import { judgeRemoval } from "../../core/worktrees/judge-removal.ts";
import type { Saved } from "../../core/worktrees/saved.ts";
import type { SaveOrder, UnsavedOrder } from "../../ports/git.ts";
import { newIn, treeOfChanges, treeOfCommit, withIndexCopy } from "./content.ts";
import { keepBackup, syncRef } from "./keep-backup.ts";
import { commitTree, resolveCommit, resolveCommits } from "./objects.ts";
import { observeWorktree, type SeenWorktree } from "./observe-worktree.ts";
import { plainFiles } from "./plain-files.ts";
import { readNote } from "./read-note.ts";
import type { GitRunner } from "./run.ts";
import { type Scratch, withScratch } from "./scratch.ts";
import type { ChangedPath } from "./status.ts";

/** A prune takes away, between two steps, what we had found: then once more, when it is written anew. */
const TRIES = 3;

/**
 * Puts a worktree and its branch out of danger: a commit whose tree is the worktree byte for byte (no filter touches
 * what is uncommitted), whose parents are HEAD, the branch, the index and what is under way. Neither the worktree nor
 * its index is written to. Rejects with `worktree.stays` where that cannot be done.
 */
export async function save(git: GitRunner, commonDir: string, order: SaveOrder): Promise<Saved> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withScratch(commonDir, (scratch) => saveOnce(git, commonDir, scratch, order));
    } catch (error) {
      const isGits = error instanceof Failed && error.failure.kind === "git.failed";
      if (!isGits || attempt === TRIES) throw error;
    }
  }
}

/** What a removal would have to save. Rejects as `save` does. */
export function countUnsaved(git: GitRunner, commonDir: string, order: UnsavedOrder): Promise<Unsaved> {
  return withScratch(commonDir, async (scratch) => {
    const seen = await observeWorktree(git, commonDir, scratch, { ...order, known: await knownBy(git, order) });
    const way = judged(order.path, seen);
    const { changed } =
      way === "plain-files"
        ? await readContent(git, commonDir, scratch, order.path, seen)
        : { changed: changesIn(seen) };
    return { files: changed.length, commits: seen.facts.commits ?? 0 };
  });
}

/** What holds commits whatever becomes of an agent: the branch it began from, where the main checkout is, remotes, tags. */
async function knownBy(git: GitRunner, { branch, base, branchStays }: Omit<UnsavedOrder, "path">): Promise<string[]> {
  const refs = [base, branchStays ? branch : null].flatMap((each) => (each === null ? [] : [`refs/heads/${each}`]));
  const held = await resolveCommits(git, ["HEAD", ...refs]);
  return ["--remotes", "--tags", ...held.filter((each) => each !== null)];
}

async function saveOnce(git: GitRunner, commonDir: string, scratch: Scratch, order: SaveOrder): Promise<Saved> {
  const known = await knownBy(git, order);
  const seen = await observeWorktree(git, commonDir, scratch, { ...order, known });
  const content = await readContent(git, commonDir, scratch, order.path, seen);
  const { head, tip } = seen;
  const saved = { tip, head, tree: content.tree, files: content.changed.length, commits: seen.facts.commits ?? 0 };
  if (content.save === "nothing" && !order.always) return { ...saved, ref: null };
  const ref = await freeRef(git, commonDir, scratch, order.ref, saved);
  if (ref.holds) await syncRef(commonDir, ref.name);
  else {
    const commit = await commitContent(git, scratch, order, { seen, content, commits: saved.commits });
    await keepBackup(git, commonDir, scratch, { ref: ref.name, commit, known });
  }
  return { ...saved, ref: ref.name };
}

export interface ReadContent {
  readonly save: "nothing" | "commits" | "as-git-tells" | "plain-files";
  readonly tree: string;
  readonly changed: readonly ChangedPath[];
}

/** What a worktree holds, as the verdict on its removal says it has to be read. Rejects where it has to stay. */
export async function readContent(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  path: string,
  seen: SeenWorktree,
): Promise<ReadContent> {
  const { facts, listed, base, renamed, inside, ignoreFiles } = seen;
  const save = judged(path, seen);
  if (save === "plain-files")
    return { save, ...(await plainFiles(git, commonDir, scratch, { path, base, renamed, ignoreFiles })) };
  if (save !== "as-git-tells" || listed === null)
    return { save, changed: [], tree: await treeOfCommit(git, scratch, base) };
  const changed = changesIn(seen);
  if (changed.length === 0 && renamed.length === 0)
    return { save, changed, tree: await treeOfCommit(git, scratch, base) };
  const onDisk = facts.place === "folder" ? changed : [];
  return {
    save,
    changed,
    tree: await treeOfChanges(git, scratch, listed.call, { changed: onDisk, renamed, inside }),
  };
}

function judged(path: string, { facts }: SeenWorktree): ReadContent["save"] {
  const verdict = judgeRemoval(facts);
  if (!verdict.goes) throw new Failed({ kind: "worktree.stays", path, why: verdict.why, what: verdict.what });
  return verdict.save;
}

/** A repository inside that is proven to lose nothing is not what a backup is for. */
function changesIn({ listed, inside }: SeenWorktree): readonly ChangedPath[] {
  const proven = new Set(inside.map(({ name }) => `${name}/`));
  return (listed?.changed ?? []).filter((each) => !proven.has(each.path));
}

async function commitContent(
  git: GitRunner,
  scratch: Scratch,
  { path, branch, at }: SaveOrder,
  { seen, content, commits }: { seen: SeenWorktree; content: ReadContent; commits: number },
): Promise<Commit> {
  const { head, tip } = seen;
  const index = await commitIndex(git, scratch, seen, content);
  // A branch without any commit is brought back from an empty one.
  const base = tip ?? head ?? (await commitNothing(git, scratch));
  const note: BackupNote = {
    // One that was on no branch comes back on a branch of its folder's name.
    branch: branch ?? (basename(path) as Branch),
    worktree: path,
    at,
    files: content.changed.length,
    commits,
    head: head ?? base,
    tip: base,
    index: head === null ? null : index,
  };
  const parents = [...new Set([head, base, index, ...seen.commits].filter((each) => each !== null))];
  return commitTree(git, content.tree, parents, writeBackupNote(note), scratch.env);
}

const commitNothing = async (git: GitRunner, scratch: Scratch): Promise<Commit> =>
  commitTree(git, await treeOfCommit(git, scratch, null), [], "banksman: nothing yet", scratch.env);

/**
 * The ref to save under. One that is there is never overwritten: if it holds all there is (an attempt that was cut
 * short made it) it serves, otherwise the next number does. One that leads nowhere is not ours to replace, either.
 */
async function freeRef(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  wanted: string,
  { tip, head, tree }: Pick<Saved, "tip" | "head" | "tree">,
): Promise<{ name: string; holds: boolean }> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    const commit = await resolveCommit(git, name);
    if (commit === null && !existsSync(join(commonDir, name))) return { name, holds: false };
    const note = commit === null ? null : await readNote(git, commit);
    const same = note !== null && (tip === null || note.tip === tip) && (head === null || note.head === head);
    if (same && (await newIn(git, scratch, `${name}^{tree}`, tree)).length === 0) return { name, holds: true };
  }
}

/** The index as a commit of its own where something is staged; a conflicted index cannot be one, its files are saved. */
async function commitIndex(
  git: GitRunner,
  scratch: Scratch,
  seen: SeenWorktree,
  { changed }: ReadContent,
): Promise<Commit | null> {
  const { listed, head } = seen;
  if (listed === null || !changed.some(({ staged }) => staged) || changed.some(({ unmerged }) => unmerged)) return null;
  return withIndexCopy(git, scratch, listed.call, async (copy) => {
    const tree = await git.text(["write-tree"], copy);
    return commitTree(git, tree, head === null ? [] : [head], "banksman: the index", scratch.env);
  });
}
