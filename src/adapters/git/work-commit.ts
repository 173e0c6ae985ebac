import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../core/conflicts/prediction.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { WorkCommit, WorkCommitOrder } from "../../ports/predictor.ts";
import { gitFolderOf } from "./admin.ts";
import { type ByteName, readable, toBytes } from "./bytes.ts";
import { copyIndex } from "./copy-index.ts";
import { resolveCommit, zeros } from "./objects.ts";
import type { Quarantine } from "./quarantine.ts";
import { readSmall } from "./read-small.ts";
import type { GitRunner, Setting } from "./run.ts";
import { findUncommitted, type PresentCall, type Uncommitted } from "./uncommitted.ts";
import { writeCommit } from "./write-commit.ts";

/** Whether a file is tracked, converted or filtered is decided as `git add` decides it; but nothing is refused. */
const AS_ADDED: readonly Setting[] = [
  ["core.safecrlf", "false"],
  ["core.splitIndex", "false"],
];

/**
 * A worktree as a commit in the quarantine. Neither the worktree nor its index is written to: a
 * copy of the index is brought up to what lies on disk.
 */
export async function takePresent(
  git: GitRunner,
  quarantine: Quarantine,
  commonDir: string,
  { path, base, skip }: WorkCommitOrder,
): Promise<WorkCommit> {
  const gitDir = gitFolderOf(commonDir, path);
  if (gitDir === null) throw new Failed({ kind: "worktree.occupied", path });
  const adding = git.with([...AS_ADDED, ["lfs.storage", join(quarantine.folder, "lfs")]]);
  // Before its first checkout everything would seem to be deleted.
  const filled = existsSync(join(gitDir, "index"));
  const found = filled ? await findUncommitted(adding, skip, { cwd: path, env: quarantine.env() }) : null;
  const head = found === null ? await resolveCommit(git, "HEAD", { cwd: path }) : (found.head as Commit | null);
  await quarantine.makeRoom(git, found?.bytes ?? 0);
  const store = quarantine.store;
  const commit =
    head !== null && (found === null || isHead(found)) && !existsSync(join(gitDir, "MERGE_HEAD"))
      ? head
      : await commitPresent(adding, quarantine, { path, gitDir, head, found, none: zeros(base) });
  return { commit, head, changed: await changes(git, quarantine, base, commit), skipped: found?.skipped ?? [], store };
}

const isHead = ({ staged, put, drop, nested }: Uncommitted): boolean =>
  !staged && put.length === 0 && drop.length === 0 && nested.length === 0;

interface Taken {
  readonly path: string;
  readonly gitDir: string;
  readonly head: Commit | null;
  readonly found: Uncommitted | null;
  /** What git calls nothing. */
  readonly none: string;
}

async function commitPresent(
  git: GitRunner,
  quarantine: Quarantine,
  { path, gitDir, head, found, none }: Taken,
): Promise<Commit> {
  const env = quarantine.env();
  const scratch = mkdtempSync(join(quarantine.folder, "index-"));
  try {
    const index = join(scratch, "index");
    if (existsSync(join(gitDir, "index"))) copyIndex(join(gitDir, "index"), index);
    const call = { cwd: path, env: { ...env, GIT_INDEX_FILE: index } };
    if (found !== null) await bringUp(git, found, { ...call, none });
    const tree = await git.text(["write-tree", "--missing-ok"], call);
    const parents = [head, ...mergeHeads(gitDir)].filter((each) => each !== null);
    return quarantine.sameAsLast(path, `${tree} ${parents.join(" ")}`, () =>
      writeCommit(env.GIT_OBJECT_DIRECTORY, tree, parents),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A merge under way has been merged as far as the next one is concerned. */
function mergeHeads(gitDir: string): string[] {
  const file = join(gitDir, "MERGE_HEAD");
  return existsSync(file)
    ? readSmall(file)
        .split("\n")
        .filter((line) => /^[0-9a-f]{40,64}$/.test(line))
    : [];
}

/** The index copy as it would be after `git add --all`, less what is skipped. */
async function bringUp(
  git: GitRunner,
  { put, drop, nested }: Uncommitted,
  { none, ...call }: PresentCall & { readonly none: string },
): Promise<void> {
  if (drop.length > 0)
    await git.run(["update-index", "-z", "--index-info"], { ...call, input: listed(drop, `0 ${none}\t`) });
  const add = (names: readonly ByteName[]) =>
    git.run(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], {
      ...call,
      input: listed(names),
      answers: [128],
    });
  const all = put.length === 0 || (await add(put)).code === 0;
  // A file that changes or goes while it is read stops them all: then each by itself, without the one that does. And a
  // repository without a commit is nothing yet.
  for (const name of [...(all ? [] : put), ...nested].slice(0, MOST_ALONE)) await add([name]);
}

/** Each is a process. */
const MOST_ALONE = 200;

const listed = (names: readonly ByteName[], before = ""): Uint8Array =>
  toBytes(names.map((name) => `${before}${name}\0`).join(""));

/** Renames are both their paths: which of them belong together is git's to find when it merges. */
async function changes(git: GitRunner, quarantine: Quarantine, base: Commit, commit: Commit): Promise<Change[]> {
  if (base === commit) return [];
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff"];
  const [env, ends] = [quarantine.env(), ["--end-of-options", base, commit]];
  const sinceFork = await git.run([...args, "--merge-base", ...ends], { env, answers: [128] });
  // Without a fork, or with several, everything that differs is more than enough.
  const { stdout } = sinceFork.code === 0 ? sinceFork : await git.run([...args, ...ends], { env });
  const fields = Buffer.from(stdout).toString("latin1").split("\0");
  const found: Change[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = "", , blob = "", letter = ""] = (fields[i] ?? "").split(" ");
    const how = letter === "A" ? "added" : letter === "D" ? "removed" : "changed";
    found.push({ path: readable(fields[i + 1] ?? ""), how, content: `${mode} ${blob}` });
  }
  return found;
}
