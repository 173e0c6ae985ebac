import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Holder, isGone, ourselves, readHolder, writeHolder } from "./holder.ts";

/**
 * Holds a name for as long as this process lives, or says who has it. For what is only wasteful when it is done twice: of
 * two who find a dead holder at the same moment, both may get it.
 */
export function holdAlone(path: string): Holder | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (const again of [false, true]) {
    try {
      writeFileSync(path, writeHolder(ourselves()), { flag: "wx", mode: 0o600 });
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(read(path));
    if (holder !== null && !isGone(holder)) return holder;
    if (!again) rmSync(path, { force: true });
  }
  return null;
}

export const letGo = (path: string): void => rmSync(path, { force: true });

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
