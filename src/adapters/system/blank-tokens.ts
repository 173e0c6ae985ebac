import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { findTokens, TOKEN_LENGTH } from "../../core/text/token-words.ts";

/** Looked through at a time: what is held in memory of a log, however fast it grows. */
const AT_ONCE = 256 * 1024;
const OPEN = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Blanks tokens in a file from `from` on, and says where it ends. Same length, same place: whoever appends meanwhile is not
 * disturbed. What is no plain file (an agent can put a pipe in its place) is not touched.
 */
export async function blankIn(path: string, from: number, isToken: (word: string) => boolean): Promise<number> {
  const file = await open(path, OPEN);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is not a plain file");
    // A token may have been cut in two by the last look.
    let at = Math.max(0, Math.min(from, stat.size) - TOKEN_LENGTH + 1);
    const buffer = Buffer.alloc(Math.min(AT_ONCE, stat.size - at));
    while (at < stat.size) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, stat.size - at), at);
      if (bytesRead === 0) break;
      await blankPart(file, at, buffer.subarray(0, bytesRead).toString("latin1"), isToken);
      if (at + bytesRead >= stat.size) break;
      at += Math.max(1, bytesRead - TOKEN_LENGTH + 1);
    }
    return stat.size;
  } finally {
    await file.close();
  }
}

async function blankPart(file: FileHandle, at: number, text: string, isToken: (word: string) => boolean) {
  for (const found of findTokens(text, isToken))
    await file.write(Buffer.alloc(TOKEN_LENGTH, "*"), 0, TOKEN_LENGTH, at + found);
}
