import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import type { Admin } from "./admin.ts";
import { resolveCommits } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { readSmallFile, readTail } from "./small-file.ts";

/** Where git remembers commits for one worktree alone, beside HEAD: merges, picks, rebases and stashes under way. */
const BESIDE_HEAD = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "MERGE_AUTOSTASH",
  "rebase-merge/orig-head",
  "rebase-merge/autostash",
  "rebase-apply/orig-head",
  "rebase-apply/autostash",
];
/** A bisection has a few; nobody has this many. */
const MOST_REFS = 200;

export interface HeldCommits {
  /** Null where there never was one. */
  readonly head: Commit | null;
  /** All of them, HEAD's first. */
  readonly all: readonly Commit[];
}

/** The commits that git's record of a worktree holds. They are gone with it, unless a ref has them. */
export async function heldCommits(git: GitRunner, { folder, head }: Admin): Promise<HeldCommits> {
  const name = head?.startsWith("ref: ") ? head.slice("ref: ".length) : (head ?? "");
  const beside = [...BESIDE_HEAD.map((each) => join(folder, each)), ...ownRefs(join(folder, "refs"))].flatMap(oidsIn);
  const [at = null, ...others] = await resolveCommits(git, [isSafe(name) ? name : "refs/none", ...beside]);
  // A HEAD whose branch was deleted, or that a power cut has emptied: where it was last.
  const last = at ?? (await lastOf(git, join(folder, "logs/HEAD")));
  return { head: last, all: [...new Set([last, ...others].filter((each) => each !== null))] };
}

const isSafe = (name: string): boolean => /^(refs\/[^\s]+|[0-9a-f]{40,64})$/.test(name);

/** The newest entry of a reflog that still is a commit. */
async function lastOf(git: GitRunner, log: string): Promise<Commit | null> {
  const commits = await resolveCommits(git, loggedIn(log));
  return commits.find((each) => each !== null) ?? null;
}

/** What a reflog says, newest first, as far as it can be read. */
export const loggedIn = (log: string): string[] => [
  ...new Set(
    readTail(log)
      .split("\n")
      .flatMap((line) => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? [])
      .filter((oid) => !/^0+$/.test(oid))
      .reverse(),
  ),
];

const oidsIn = (file: string): string[] =>
  (readSmallFile(file) ?? "").split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));

function ownRefs(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((each) => each.isFile())
    .slice(0, MOST_REFS)
    .map((each) => join(each.parentPath, each.name));
}
