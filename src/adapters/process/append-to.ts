import { closeSync, constants, createWriteStream, fstatSync, mkdirSync, openSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A log to append to, which only the user can read. Throws where a link or anything else but a file is in its place. */
export function appendTo(path: string): WriteStream {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, FLAGS, 0o600);
  if (!fstatSync(file).isFile()) {
    closeSync(file);
    throw new Error(`${path} is not a file`);
  }
  const stream = createWriteStream(path, { fd: file });
  // A log that cannot be written (disk full) does not stop whoever it is the log of.
  stream.on("error", () => undefined);
  return stream;
}
