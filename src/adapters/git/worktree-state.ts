import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Branch } from "../../core/text/ids.ts";
import { type Admin, leadsToNothing, lookAtDotGit, recordsOf, unfinishedRecords } from "./admin.ts";
import { isBlank, lookAtPath, readHead, readSmallFile } from "./small-file.ts";

/**
 * What there is of a worktree, from the file system alone. `broken` is one of ours that can be mended: its link, its
 * index or its branch is missing or was never filled, as after a power cut, and there are files or a record of it.
 */
export function worktreeState(
  commonDir: string,
  path: string,
  branch: Branch,
): "absent" | "broken" | "empty" | "filled" {
  const { is, record } = lookAtDotGit(commonDir, path);
  if (is === "link" && record !== null && isSound(record)) {
    const index = indexOf(record);
    if (index === "damaged" || isBrokenBranch(commonDir, branch)) return "broken";
    return index === "sound" ? "filled" : "empty";
  }
  return brokenRecord(commonDir, path) === null ? "absent" : "broken";
}

/** The record that a folder without a sound link belongs to; null where there is none, or nothing to be mended. */
export function brokenRecord(commonDir: string, path: string): Admin | null {
  const { is, record } = lookAtDotGit(commonDir, path);
  const canBeLinked = is === "absent" || is === "empty" || (is === "elsewhere" && leadsToNothing(commonDir, path));
  if (is !== "link" && !canBeLinked) return null;
  const [found = null] =
    record === null ? [...recordsOf(commonDir, path), ...unfinishedRecords(commonDir, path)] : [record];
  return found !== null && hasFiles(path) ? found : null;
}

function hasFiles(path: string): boolean {
  const stat = lookAtPath(path);
  return typeof stat !== "string" && stat.isDirectory() && readdirSync(path).some((name) => name !== ".git");
}

const isSound = ({ folder, head }: Admin): boolean =>
  head !== null && !isBlank(readSmallFile(join(folder, "commondir")) ?? "");

/** By its first bytes: whether the rest of it is sound is git's to say. */
export function indexOf({ folder }: Admin): "none" | "sound" | "damaged" {
  const file = join(folder, "index");
  if (lookAtPath(file) === "missing") return "none";
  return readHead(file, 4) === "DIRC" ? "sound" : "damaged";
}

/** A branch whose file says nothing, or names a commit that was never filled. */
export function isBrokenBranch(commonDir: string, branch: Branch): boolean {
  const text = readSmallFile(join(commonDir, "refs/heads", branch));
  if (text === null || text.startsWith("ref: ")) return false;
  const oid = /^([0-9a-f]{40,64})\n?$/.exec(text)?.[1];
  if (oid === undefined) return true;
  const object = lookAtPath(join(commonDir, "objects", oid.slice(0, 2), oid.slice(2)));
  return typeof object !== "string" && object.size === 0;
}
