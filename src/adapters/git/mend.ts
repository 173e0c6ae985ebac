import { existsSync, lstatSync, readdirSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { MendOrder } from "../../ports/git.ts";
import { type Admin, adminOf, lookAtDotGit, OURS } from "./admin.ts";
import { readSizes } from "./batch.ts";
import { type ByteName, readable, toBytes } from "./bytes.ts";
import { loggedIn } from "./held-commits.ts";
import { syncRef } from "./keep-backup.ts";
import { clearLocks } from "./locks.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { isBlank, readSmallFile } from "./small-file.ts";
import { fileAt } from "./status.ts";
import { brokenRecord, indexOf, isBrokenBranch, worktreeState } from "./worktree-state.ts";

/**
 * Makes a broken worktree one again, without losing a byte: only what is missing, or was written and never filled, is
 * written anew. Answers with what was done, for people. `git` has filters off.
 */
export async function mendWorktree(git: GitRunner, commonDir: string, order: MendOrder): Promise<string[]> {
  const { path, branch, from, used } = order;
  removeEmptyObjects(commonDir);
  const did: string[] = [];
  const record = brokenRecord(commonDir, path) ?? adminOf(commonDir, path);
  const branchMended = await mendBranch(git, commonDir, branch, from);
  if (branchMended !== null) did.push(branchMended);
  if (record !== null) {
    did.push(...linkAgain(commonDir, path, branch, record));
    did.push(...(await mendIndex(git, record, path, used)));
  }
  if (["absent", "broken"].includes(worktreeState(commonDir, path, branch)))
    throw new Failed({ kind: "worktree.damaged", path, what: "git's record of it cannot be put right" });
  return did;
}

/** A file without a byte is no object: it only keeps git from writing the one that belongs there. */
function removeEmptyObjects(commonDir: string): void {
  const home = join(commonDir, "objects");
  for (const part of readdirSync(home).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of readdirSync(join(home, part))) {
      const file = join(home, part, name);
      if (/^[0-9a-f]{38,62}$/.test(name) && lstatSync(file).size === 0) rmSync(file, { force: true });
    }
}

/**
 * A branch that says nothing, or names a commit that is not there, is put where it was last, as far as git can read that;
 * where nothing says where it was, to where it began. Null where it is sound.
 */
export async function mendBranch(
  git: GitRunner,
  commonDir: string,
  branch: Branch,
  from: Commit | null,
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const isBroken = isBrokenBranch(commonDir, branch);
  const isRead = !isBroken && (await isWhole(git, ref));
  // One that is not there at all was deleted, and is not broken.
  if (isRead || (!isBroken && readSmallFile(join(commonDir, ref)) === null)) return null;
  clearLocks(commonDir, null, branch);
  const candidates = [...loggedIn(join(commonDir, "logs", ref)), ...(from === null ? [] : [from])];
  for (const oid of candidates) {
    if (!(await isWhole(git, oid))) continue;
    rmSync(join(commonDir, ref), { force: true });
    await git.with([["core.fsync", "all"]]).run(["update-ref", "-m", "branch: mended by banksman", ref, oid]);
    await syncRef(commonDir, ref);
    return `its branch ${branch} led nowhere, and was put to ${oid.slice(0, 10)}`;
  }
  throw new Failed({ kind: "worktree.damaged", path: branch, what: "this branch leads nowhere" });
}

/** Whether a commit can be read with all its files. */
async function isWhole(git: GitRunner, name: string): Promise<boolean> {
  if ((await resolveCommit(git, name)) === null) return false;
  const args = ["rev-list", "--objects", "--quiet", "--max-count=1", "--exclude-promisor-objects", name];
  return (await git.run(args, { answers: [128, 1] })).code === 0;
}

/** The four files by which a folder and its record know each other. */
function linkAgain(commonDir: string, path: string, branch: Branch, { folder }: Admin): string[] {
  const wanted = [
    [join(folder, "commondir"), "../..\n"],
    [join(folder, "gitdir"), `${join(path, ".git")}\n`],
    [join(folder, "HEAD"), `ref: refs/heads/${branch}\n`],
    [join(folder, "locked"), OURS],
    [join(path, ".git"), `gitdir: ${folder}\n`],
  ] as const;
  const missing = wanted.filter(([file]) => isBlank(readSmallFile(file) ?? ""));
  const isLost = lookAtDotGit(commonDir, path).is;
  if (!["absent", "empty", "link", "elsewhere"].includes(isLost)) return [];
  // One that was released has no lock: only a lock that was cut short is written again.
  const ours = missing.filter(([file]) => !file.endsWith("locked") || existsSync(file));
  for (const [file, text] of ours) {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
  return ours.length === 0 ? [] : ["its link to the repository was written again"];
}

/**
 * An index that is none is moved aside. In a worktree that was used, a new one is made of HEAD, and files that lie there
 * without a byte, where HEAD has some, are checked out: a power cut has emptied them. Where the index is sound, it says
 * which these are: the very files that git wrote, and has not been written to since.
 */
async function mendIndex(git: GitRunner, record: Admin, path: string, used: boolean): Promise<string[]> {
  const state = indexOf(record);
  if (state === "none" && !used) return [];
  const index = join(record.folder, "index");
  if (state === "damaged") renameSync(index, `${index}.damaged`);
  if (!used) return state === "damaged" ? ["its index was damaged, and is made again"] : [];
  clearLocks(dirname(dirname(record.folder)), record.folder, null, path);
  const call = { cwd: path, env: { GIT_DIR: record.folder, GIT_WORK_TREE: path } };
  if ((await resolveCommit(git, "HEAD", call)) === null) return [];
  if (state !== "sound") await git.run(["read-tree", "HEAD"], call);
  const emptied = await emptiedFiles(git, call, state === "sound");
  const input = toBytes(emptied.map((name) => `${name}\0`).join(""));
  if (emptied.length > 0) await git.run(["checkout-index", "--force", "-z", "--stdin"], { ...call, input });
  if (emptied.length > 0 || state !== "sound")
    await git.run(["update-index", "-q", "--refresh"], { ...call, answers: [1] });
  return [
    ...(state === "sound" ? [] : ["its index was damaged, and was made again"]),
    ...(emptied.length === 0 ? [] : [`files that a power cut had emptied were checked out again: ${listed(emptied)}`]),
  ];
}

const listed = (names: readonly ByteName[]): string =>
  `${names.slice(0, 3).map(readable).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;

interface Call {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Files without a byte of which HEAD or the index has some; `known`: only those that git wrote and nobody since. */
async function emptiedFiles(git: GitRunner, call: Call, known: boolean): Promise<ByteName[]> {
  const seen = known ? await emptiedSince(git, call) : null;
  const entries = (await git.names(["ls-files", "--stage", "-z"], call)).flatMap((line) => {
    const [, blob = "", name = ""] = /^100\d{3} ([0-9a-f]+) 0\t([\s\S]+)$/.exec(line) ?? [];
    return name !== "" && (seen === null ? emptyFile(call.cwd, name) !== null : seen.has(name)) ? [{ blob, name }] : [];
  });
  const sizes = await readSizes(
    git,
    entries.map(({ blob }) => blob),
  );
  return entries.filter((_, i) => (sizes[i] ?? 0) > 0).map(({ name }) => name);
}

/** As many seconds a file's time may be off by after a power cut. */
const SECONDS_OFF = 2;

/** By what the index remembers of each file: size, time, number on disk. */
async function emptiedSince(git: GitRunner, call: Call): Promise<ReadonlySet<ByteName>> {
  const { stdout } = await git.run(["ls-files", "--debug", "-z"], call);
  const text = Buffer.from(stdout).toString("latin1");
  const found = new Set<ByteName>();
  const entry = /([^\0]+)\0 {2}ctime: \S+\n {2}mtime: (\d+):\d+\n {2}dev: \d+\tino: (\d+)\n.*\n {2}size: (\d+)\t.*\n/g;
  for (const [, name = "", seconds, ino, size] of text.matchAll(entry)) {
    const stat = Number(size) > 0 ? emptyFile(call.cwd, name) : null;
    if (stat === null || stat.ino % 2 ** 32 !== Number(ino)) continue;
    if (Math.abs(stat.mtimeMs / 1000 - Number(seconds)) <= SECONDS_OFF) found.add(name);
  }
  return found;
}

function emptyFile(root: string, name: ByteName): Stats | null {
  const stat = fileAt(root, name);
  return stat?.isFile() && stat.size === 0 ? stat : null;
}
