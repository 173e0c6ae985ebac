import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { below, inGitFolder, isInside, NOT_A_FILE } from "../../core/text/paths.ts";
import { isSecretName } from "../../core/text/secret-names.ts";

/**
 * The one door to files of a repository or a worktree, where somebody else decides what lies at a name. Through it come
 * regular files alone, of bounded size, that really lie inside: a link may lead to another place there, but not out of it,
 * not into git's own folder, and not to a file that holds secrets by its name. Nothing here waits: whoever opens a pipe
 * waits for ever, so nothing is opened to be waited for.
 */
export interface Taken {
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
}

/** At most the first `most` bytes; null when there is nothing. Throws `path.refused` for what may not be read. */
export function takeInside(root: string, name: string, most: number): Taken | null {
  const real = placeInside(root, name);
  return real === null
    ? null
    : opened(real, name, (file, size) => ({ bytes: readBytes(file, size, most), size }), root);
}

/** The whole text. Throws `path.refused` for one that is larger than `most` bytes. */
export function readInside(root: string, name: string, most: number): string | null {
  return wholeText(takeInside(root, name, most), name, most);
}

/** SHA-256 of a file, or of a part of its text; null when there is nothing. */
export function digestInside(root: string, name: string, most: number, part?: (text: string) => string): string | null {
  const taken = takeInside(root, name, most);
  if (taken === null) return null;
  const text = wholeText(taken, name, most) ?? "";
  return createHash("sha256")
    .update(part === undefined ? taken.bytes : part(text))
    .digest("hex");
}

/** Names in a folder; empty when there is none. */
export function listInside(root: string, name: string): string[] {
  const real = placeInside(root, name);
  if (real === null) return [];
  try {
    return readdirSync(real);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw unreadable(real, error);
  }
}

/** A file of the user's own or of ours: links are followed, and the rest is the same. */
export function readOwn(path: string, most: number): string | null {
  return wholeText(takeOwn(path, most), path, most);
}

export const takeOwn = (path: string, most: number): Taken | null =>
  opened(path, path, (file, size) => ({ bytes: readBytes(file, size, most), size }), null);

/** A name of the user's own files is a full path. */
const refuse = (path: string, why: string): Failed =>
  new Failed(path.startsWith("/") ? { kind: "file.failed", path, detail: why } : { kind: "path.refused", path, why });

const unreadable = (path: string, error: unknown): Failed =>
  new Failed({ kind: "file.failed", path, detail: (error as Error).message });

const isAbsent = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

function wholeText(taken: Taken | null, name: string, most: number): string | null {
  if (taken === null) return null;
  if (taken.size > most) throw refuse(name, `it is larger than ${most} bytes`);
  return Buffer.from(taken.bytes).toString("utf8");
}

/** Where a name really leads; null when nothing is there. An empty name is the root itself. */
function placeInside(root: string, name: string): string | null {
  if (name.includes("\0")) throw refuse(name, "it holds a NUL");
  if (name !== "" && !isInside(name))
    throw new Failed({ kind: "path.refused", path: name, why: "it leads out of the repository" });
  if (inGitFolder(name)) throw refuse(name, "that is git's own");
  try {
    const home = realpathSync(root);
    const real = realpathSync(join(root, name));
    checkPlace(home, real, name);
    return real;
  } catch (error) {
    if (error instanceof Failed) throw error;
    if (isAbsent(error)) return null;
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw refuse(name, "its links lead nowhere");
    throw unreadable(join(root, name), error);
  }
}

function checkPlace(home: string, real: string, name: string): void {
  if (!below(real, home)) throw refuse(name, "a link leads out of the repository");
  const inside = relative(home, real).split(sep).join("/");
  if (inGitFolder(inside)) throw refuse(name, "a link leads into git's own folder");
  const asked = name.split("/").filter((part) => part !== "" && part !== ".");
  if (inside !== asked.join("/") && isSecretName(inside))
    throw refuse(name, "a link leads to a file that by its name holds secrets");
}

function opened<T>(path: string, name: string, work: (file: number, size: number) => T, root: string | null): T | null {
  let file: number;
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (root === null ? 0 : constants.O_NOFOLLOW);
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (isAbsent(error)) return null;
    // A link that came here after we had looked; or a socket, which cannot be opened.
    if (["ELOOP", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? "")) throw refuse(name, NOT_A_FILE);
    throw unreadable(path, error);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refuse(name, NOT_A_FILE);
    if (root !== null) checkPlace(realpathSync(root), whereIs(file, path, stat.ino), name);
    return work(file, stat.size);
  } finally {
    closeSync(file);
  }
}

/** Where what is open really lies, whatever was put at its name since. */
function whereIs(file: number, path: string, inode: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    // Not Linux: as sure as it can be.
    return lstatSync(path).ino === inode ? realpathSync(path) : "/";
  }
}

function readBytes(file: number, size: number, most: number): Uint8Array {
  const buffer = Buffer.alloc(Math.min(size, most));
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(file, buffer, filled, buffer.length - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
