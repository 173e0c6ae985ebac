import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Move, MoveOrder } from "../../ports/target.ts";
import { gitFolderOf } from "./admin.ts";
import { type ByteName, isText, lookAt, onDisk, readable, toBytes } from "./bytes.ts";
import { copyIndex } from "./copy-index.ts";
import { syncRef } from "./keep-backup.ts";
import { clearUnlessHeld } from "./locks.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner, Setting, WorktreeCall } from "./run.ts";
import { readSmallFile } from "./small-file.ts";

const ON_DISK: readonly Setting[] = [
  ["core.fsync", "all"],
  ["core.fsyncMethod", "fsync"],
];
const TIMEOUT_MS = 10 * 60_000;
const MOST_NAMED = 3;
const LOCK_WORD = "banksman landing";

/** A checkout of the branch, while its files and its index are put from one commit to another. */
interface Checkout {
  readonly path: string;
  readonly folder: string;
}

/** From where to where, and the paths that differ. */
interface Landing {
  readonly from: Commit;
  readonly to: Commit;
  readonly changed: readonly ByteName[];
}

/** Stops the move: what is in the way, in a sentence. */
class InTheWay extends Error {}

/**
 * Moves a branch by compare-and-swap, together with every checkout of it. Each checkout's index is locked throughout, as
 * git itself would lock it; its files are brought to the new commit by a copy of the index, then the ref moves, then the
 * copy takes the index's place. Killed anywhere in between, the lock stays, with our word in it: asked again we know it by
 * that and finish, or take it back where the branch has gone elsewhere.
 */
export async function moveTarget(git: GitRunner, commonDir: string, order: MoveOrder): Promise<Move> {
  const { branch, from, to, tree } = order;
  const tested = await git.text(["rev-parse", "--verify", "--end-of-options", `${to}^{tree}`]);
  if (tested !== tree)
    throw new Failed({ kind: "internal", detail: `the tree of ${to} is ${tested}, and ${tree} was tested` });
  const ref = `refs/heads/${branch}`;
  const present = await resolveCommit(git, ref);
  const checkouts = await checkoutsOf(git, commonDir, branch);
  // Of a git of ours that was killed: nobody else uses the copy.
  for (const checkout of checkouts) clearUnlessHeld(commonDir, `${copyOf(checkout)}.lock`);
  for (const checkout of checkouts)
    if (present !== from || !isOurLock(checkout.folder, from, to)) await recover(git, checkout, present);
  if (present !== from)
    return { how: present !== null && (await isIn(git, to, present)) ? "moved" : "moved-by-another" };
  if (!(await isIn(git, from, to))) throw new Failed({ kind: "internal", detail: `${to} is not on top of ${from}` });
  const busy = await busyWith(git, commonDir, branch);
  if (busy !== null) return { how: "refused", because: busy };
  const landing = await landingOf(git, from, to);
  const begun: Checkout[] = [];
  try {
    for (const checkout of checkouts) {
      lock(checkout, from, to);
      begun.push(checkout);
      await refuseDirty(git, checkout, landing);
    }
    for (const checkout of begun) await bring(git, checkout, landing);
    await swap(git, ref, order);
  } catch (error) {
    for (const checkout of begun) await takeBack(git, checkout, landing);
    if (!(error instanceof InTheWay)) throw error;
    return error.message === MOVED ? { how: "moved-by-another" } : { how: "refused", because: error.message };
  }
  await syncRef(commonDir, ref);
  for (const checkout of begun) replaceIndex(checkout);
  return { how: "moved" };
}

const MOVED = "moved by another";

async function swap(git: GitRunner, ref: string, { from, to, message }: MoveOrder): Promise<void> {
  try {
    await git.with(ON_DISK).run(["update-ref", "--create-reflog", "-m", message, ref, to, from]);
  } catch (error) {
    const now = await resolveCommit(git, ref);
    if (now !== to) throw now === from ? error : new InTheWay(MOVED);
  }
}

const landingOf = async (git: GitRunner, from: Commit, to: Commit): Promise<Landing> => ({
  from,
  to,
  changed: await git.names(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to]),
});

/** What a killed one left in a checkout: finished where the branch has what it was for, and taken back elsewhere. */
async function recover(git: GitRunner, checkout: Checkout, present: Commit | null): Promise<void> {
  const [, from, to] = lockWords(checkout.folder) ?? [];
  if (from === undefined || to === undefined) return;
  if (present !== null && (await isIn(git, to, present)))
    return finish(git, checkout, await landingOf(git, from, present));
  await takeBack(git, checkout, await landingOf(git, from, to));
}

async function isIn(git: GitRunner, commit: Commit, other: Commit): Promise<boolean> {
  const { code } = await git.run(["merge-base", "--is-ancestor", commit, other], { answers: [1] });
  return code === 0;
}

/** Every worktree that has the branch checked out, the main one included. */
async function checkoutsOf(git: GitRunner, commonDir: string, branch: string): Promise<Checkout[]> {
  const fields = await git.fields(["worktree", "list", "--porcelain", "-z"]);
  const found: Checkout[] = [];
  let path = "";
  for (const field of fields) {
    if (field.startsWith("worktree ")) path = field.slice("worktree ".length);
    if (field !== `branch refs/heads/${branch}` || !existsSync(path)) continue;
    const folder = gitFolderOf(commonDir, path);
    if (folder !== null && existsSync(join(folder, "index"))) found.push({ path, folder });
  }
  return found;
}

/** A rebase or bisection of the branch: then git says of its worktree only that it is detached. */
async function busyWith(git: GitRunner, commonDir: string, branch: string): Promise<string | null> {
  const fields = await git.fields(["worktree", "list", "--porcelain", "-z"]);
  const paths = fields.filter((field) => field.startsWith("worktree ")).map((field) => field.slice("worktree ".length));
  for (const path of paths.filter(existsSync)) {
    const folder = gitFolderOf(commonDir, path);
    if (folder === null) continue;
    const heads = ["rebase-merge/head-name", "rebase-apply/head-name"].map((name) => readSmallFile(join(folder, name)));
    if (heads.some((head) => head?.trim() === `refs/heads/${branch}`))
      return `a rebase of ${branch} is under way in ${path}: finish it, or abort it`;
    if (readSmallFile(join(folder, "BISECT_START"))?.trim() === branch)
      return `a bisection of ${branch} is under way in ${path}: finish it (git bisect reset)`;
    // By its file, not by its short name: a tag may have the same.
    if (readSmallFile(join(folder, "HEAD"))?.trim() !== `ref: refs/heads/${branch}`) continue;
    if (existsSync(join(folder, "MERGE_HEAD")))
      return `a merge into ${branch} is under way in ${path}: finish it, or abort it`;
    if (["CHERRY_PICK_HEAD", "REVERT_HEAD"].some((name) => existsSync(join(folder, name))))
      return `a cherry-pick or revert on ${branch} is under way in ${path}: finish it, or abort it`;
    if (
      existsSync(join(folder, "index")) &&
      (await git.names(["ls-files", "--unmerged", "-z"], { cwd: path })).length > 0
    )
      return `${path} has conflicts that are not resolved: resolve them, or go back (git reset --merge)`;
  }
  return null;
}

const lockOf = ({ folder }: Pick<Checkout, "folder">): string => join(folder, "index.lock");
const copyOf = ({ folder }: Pick<Checkout, "folder">): string => join(folder, "index.banksman");

const lockWords = (folder: string) =>
  (new RegExp(`^${LOCK_WORD} ([0-9a-f]{40,64}) ([0-9a-f]{40,64})\\n$`).exec(readSmallFile(lockOf({ folder })) ?? "") ??
    null) as [string, Commit, Commit] | null;

const isOurLock = (folder: string, from: Commit, to: Commit): boolean => {
  const words = lockWords(folder);
  return words !== null && words[1] === from && words[2] === to;
};

/** On disk before anything is changed: after a power cut it says what was under way. */
function lock(checkout: Checkout, from: Commit, to: Commit): void {
  const path = lockOf(checkout);
  if (isOurLock(checkout.folder, from, to)) return;
  try {
    const file = openSync(path, "wx", 0o644);
    try {
      writeSync(file, `${LOCK_WORD} ${from} ${to}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    sync(checkout.folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw asFailed(error, path);
    throw new InTheWay(`another git command is at work in ${checkout.path} (index.lock): try again`);
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const callIn = (checkout: Checkout, index = copyOf(checkout)): WorktreeCall & { env: Record<string, string> } => ({
  cwd: checkout.path,
  env: { GIT_INDEX_FILE: index },
  timeoutMs: TIMEOUT_MS,
});

/** Paths that the landing touches and that are neither as they were nor as they will be. */
async function refuseDirty(git: GitRunner, checkout: Checkout, landing: Landing): Promise<void> {
  const dirty = await dirtyPaths(git, checkout, landing);
  if (dirty.length === 0) return;
  const named = dirty.slice(0, MOST_NAMED).map(readable).join(", ");
  const more = dirty.length > MOST_NAMED ? ` and ${dirty.length - MOST_NAMED} more` : "";
  throw new InTheWay(
    `${checkout.path} has uncommitted changes in ${named}${more}, which the landing touches: commit or stash them, then land again`,
  );
}

/**
 * Makes the copy of the index, in which what is there already (from an earlier attempt) is entered as such. Answers with
 * the paths that somebody has changed.
 */
async function dirtyPaths(git: GitRunner, checkout: Checkout, { from, to, changed }: Landing): Promise<ByteName[]> {
  const call = callIn(checkout);
  copyIndex(join(checkout.folder, "index"), copyOf(checkout));
  await git.run(["update-index", "-q", "--refresh"], { ...call, answers: [1] });
  const among = new Set(changed);
  const staged = await git.names(["diff-index", "--cached", "-z", "--name-only", "--no-renames", from], call);
  const unstaged = await git.names(["diff-files", "-z", "--name-only"], call);
  const before = new Set(await namesAt(git, from, changed, call));
  const fresh = changed.filter((name) => !before.has(name) && isInTheWay(checkout.path, name));
  const suspects = [...new Set([...staged, ...unstaged, ...fresh])].filter((name) => among.has(name));
  if (suspects.length === 0) return [];
  const after = await entriesAt(git, to, suspects, call);
  const dirty: ByteName[] = [];
  const done: string[] = [];
  for (const name of suspects) {
    const entry = after.get(name);
    const isThere = await hasContent(git, checkout, name, entry, call);
    if (!isThere) dirty.push(name);
    else if (entry === undefined) done.push(`0 ${"0".repeat(from.length)}\t${name}\0`);
    else done.push(`${entry.mode} ${entry.id}\t${name}\0`);
  }
  if (dirty.length === 0 && done.length > 0) {
    await git.run(["update-index", "-z", "--index-info"], { ...call, input: toBytes(done.join("")) });
    await git.run(["update-index", "-q", "--refresh"], { ...call, answers: [1] });
  }
  return dirty;
}

/** Something stands where a new file would be put: the file itself, or a file where a folder has to be. */
function isInTheWay(root: string, name: ByteName): boolean {
  if (lookAt(root, name) !== null) return true;
  const parts = name.split("/").slice(0, -1);
  return parts.some((_, i) => {
    const stat = lookAt(root, parts.slice(0, i + 1).join("/"));
    return stat !== null && !stat.isDirectory();
  });
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

async function entriesAt(
  git: GitRunner,
  commit: Commit,
  names: readonly ByteName[],
  call: WorktreeCall,
): Promise<Map<ByteName, Entry>> {
  const wanted = new Set(names);
  const lines = await git.names(["ls-tree", "-r", "-z", "--full-tree", commit], { ...call, env: {} });
  return new Map(
    lines.flatMap((line) => {
      const [, mode = "", id = "", name = ""] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return wanted.has(name) ? [[name, { mode, id }] as const] : [];
    }),
  );
}

const namesAt = async (
  git: GitRunner,
  commit: Commit,
  names: readonly ByteName[],
  call: WorktreeCall,
): Promise<ByteName[]> => [...(await entriesAt(git, commit, names, call)).keys()];

/** Whether the file is as it will be after the landing: gone, or with this very content. */
async function hasContent(
  git: GitRunner,
  { path }: Checkout,
  name: ByteName,
  entry: Entry | undefined,
  call: WorktreeCall,
): Promise<boolean> {
  const stat = lookAt(path, name);
  if (entry === undefined) return stat === null;
  if (stat === null || !(stat.isFile() || stat.isSymbolicLink())) return false;
  if ((entry.mode === "120000") !== stat.isSymbolicLink()) return false;
  // What cannot be an argument, and what leads elsewhere, is not looked into.
  if (stat.isSymbolicLink() || !isText(name)) return false;
  const hashed = await git.text(["hash-object", "--", readable(name)], { ...call, env: {}, answers: [128] });
  return hashed === entry.id;
}

async function bring(git: GitRunner, checkout: Checkout, landing: Landing): Promise<void> {
  await refuseDirty(git, checkout, landing);
  const args = ["read-tree", "-m", "-u", "--no-recurse-submodules", landing.from, landing.to];
  await git.run(args, { ...callIn(checkout), reach: "content" });
  sync(copyOf(checkout));
}

async function finish(git: GitRunner, checkout: Checkout, landing: Landing): Promise<void> {
  const { from, to } = landing;
  const dirty = await dirtyPaths(git, checkout, landing);
  // Somebody has worked on since: what they have stays, and the index says what the branch has.
  if (dirty.length === 0)
    await git.run(["read-tree", "-m", "-u", "--no-recurse-submodules", from, to], callIn(checkout));
  else await git.run(["read-tree", "-m", from, to], callIn(checkout));
  sync(copyOf(checkout));
  replaceIndex(checkout);
}

function replaceIndex(checkout: Checkout): void {
  renameSync(copyOf(checkout), join(checkout.folder, "index"));
  sync(checkout.folder);
  rmSync(lockOf(checkout), { force: true });
}

/** Files that have the new content get the old one again; what anybody has changed since stays. */
async function takeBack(git: GitRunner, checkout: Checkout, { to, changed }: Landing): Promise<void> {
  const index = join(checkout.folder, "index");
  const call = callIn(checkout, index);
  const after = await entriesAt(git, to, changed, call);
  const tracked = new Set(await git.names(["ls-files", "-z"], call));
  const back: ByteName[] = [];
  for (const name of changed) {
    const isNew = await hasContent(git, checkout, name, after.get(name), call);
    if (!isNew) continue;
    if (tracked.has(name)) back.push(name);
    else if (after.has(name)) rmSync(onDisk(checkout.path, name), { force: true });
  }
  const copy = copyOf(checkout);
  copyIndex(index, copy);
  if (back.length > 0) {
    const input = toBytes(back.map((name) => `${name}\0`).join(""));
    await git.run(["checkout-index", "-f", "-u", "-q", "-z", "--stdin"], {
      ...callIn(checkout),
      input,
      reach: "content",
    });
    renameSync(copy, index);
  } else rmSync(copy, { force: true });
  rmSync(lockOf(checkout), { force: true });
}

function asFailed(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return new Failed({ kind: "disk.full", path: dirname(path) });
  return new Failed({ kind: "file.failed", path, detail: message });
}
