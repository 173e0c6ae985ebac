import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { Failed } from "../../core/failure/failed.ts";

/** Everything git writes in this way (HEAD, gitdir, refs) is a line or two. */
const MOST_BYTES = 64 * 1024;

/** What an agent can bring about in its own folder: it says something about the file, and will be so next time as well. */
const REFUSED: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "ELOOP", "ENAMETOOLONG", "ENXIO"]);
const MISSING: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);

/** `unreadable` is there and may not be looked at. Rejects where the machine, and not the file, says no. */
export function lookAtPath(path: string | Uint8Array): Stats | "missing" | "unreadable" {
  try {
    return lstatSync(path as string);
  } catch (error) {
    return missingOr(error, String(path));
  }
}

/**
 * The text of a small regular file. Opened so that nothing else can hold us up: a pipe, a device, gigabytes. Null where
 * there is none, or something that is no such file.
 */
export function readSmallFile(path: string): string | null {
  const file = openPlain(path);
  if (file === null) return null;
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MOST_BYTES) return null;
    const bytes = Buffer.alloc(stat.size);
    return bytes.subarray(0, readSync(file, bytes, 0, stat.size, 0)).toString("utf8");
  } finally {
    closeSync(file);
  }
}

function openPlain(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    missingOr(error, path);
    return null;
  }
}

/** Written and never filled: no bytes, or nothing but zeros, as a power cut leaves it. */
export const isBlank = (text: string): boolean => /^\0*$/.test(text);

/** Anything else (no more files may be open, a disk that fails) does not mean that it is not there. */
function missingOr(error: unknown, path: string): "missing" | "unreadable" {
  const { code, message } = error as NodeJS.ErrnoException;
  if (MISSING.has(code)) return "missing";
  if (REFUSED.has(code)) return "unreadable";
  throw new Failed({ kind: "file.failed", path, detail: message });
}

const TAIL_BYTES = 64 * 1024;

/** The end of a file that grows; nothing where there is none. */
export const readTail = (path: string): string => readPart(path, TAIL_BYTES, (size) => size - TAIL_BYTES);

/** The first bytes of a file, one character each; nothing where there is none. */
export const readHead = (path: string, bytes: number): string => readPart(path, bytes, () => 0);

function readPart(path: string, most: number, from: (size: number) => number): string {
  const file = openPlain(path);
  if (file === null) return "";
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return "";
    const bytes = Buffer.alloc(Math.min(stat.size, most));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, Math.max(0, from(stat.size)))).toString("latin1");
  } finally {
    closeSync(file);
  }
}
