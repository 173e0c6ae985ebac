import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { readSmallFile } from "./small-file.ts";

/** Where objects are written that the repository gets as one pack, or not at all. */
export interface Scratch {
  readonly folder: string;
  /** For every call that writes an object or reads one of these. Nothing is fetched: that could run a program. */
  readonly env: Environment;
}

const PREFIX = "banksman-saving-";

/**
 * Works with a folder for objects that git finds beside the repository's and that is gone afterwards. It lies in the
 * object store, so that a pack can be moved from it into its place in one step; no git prunes a folder of that name.
 */
export async function withScratch<T>(commonDir: string, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const objects = join(commonDir, "objects");
  const folder = join(objects, `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    clearLeft(objects);
    for (const name of ["info", "pack"]) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, "info", "alternates"), `${objects}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Failed({ kind: "disk.full", path: "the repository" });
    throw new Failed({ kind: "file.failed", path: objects, detail: message });
  }
  try {
    const env = { GIT_OBJECT_DIRECTORY: folder, GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
    return await work({ folder, env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a pack is kept for until a ref holds it: repacking leaves it alone that long. */
export const KEPT_BY = "banksman ";

/** What killed processes left: their folders, and the marks on packs that no ref was made for. */
function clearLeft(objects: string): void {
  for (const name of readdirSync(objects)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : null;
    if (pid !== null && isDead(pid)) rmSync(join(objects, name), { recursive: true, force: true });
  }
  const packs = join(objects, "pack");
  for (const name of existsSync(packs) ? readdirSync(packs) : []) {
    if (!name.endsWith(".keep")) continue;
    const text = readSmallFile(join(packs, name)) ?? "";
    if (text.startsWith(KEPT_BY) && isDead(Number.parseInt(text.slice(KEPT_BY.length), 10)))
      rmSync(join(packs, name), { force: true });
  }
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** A call about one worktree whose objects go to a scratch folder. */
export interface ContentCall {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}
