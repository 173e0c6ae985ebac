import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Git's own pointers are a line or two. */
const MOST_BYTES = 64 * 1024;

/**
 * One of git's small files, where an agent may have put something else: whoever opens a pipe waits for ever, and whoever
 * reads 400 MB as well. Throws where it cannot be read, for whatever reason.
 */
export const readSmall = (path: string, most = MOST_BYTES): string =>
  readRegular(path, constants.O_NONBLOCK, most).toString("utf8");

/** A file's bytes, and no link's, pipe's or device's. */
export const readBytes = (path: Buffer): Buffer =>
  readRegular(path, constants.O_NONBLOCK | constants.O_NOFOLLOW, Number.POSITIVE_INFINITY);

function readRegular(path: string | Buffer, flags: number, most: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | flags);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error("it is not a file");
    if (stat.size > most) throw new Error("it is too large");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
