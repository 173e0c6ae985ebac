import { createHash, randomBytes } from "node:crypto";
import { constants, writeFileSync } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure/failed.ts";
import { parseObject } from "../../core/text/json-fields.ts";
import { below } from "../../core/text/paths.ts";
import type { EpicStore, StoredEpic } from "../../ports/epic-store.ts";
import { makeInside } from "./files.ts";
import { type Holder, isGone, ourselves } from "./holder.ts";
import { listInside, readOwn, takeInside, takeOwn } from "./inside.ts";

/** More than this is not even read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Markdown files, anywhere; below `root` only what really lies there, as everything that is a repository's. */
export function createEpicFiles(root: string | null): EpicStore {
  const inside = (path: string) => (root !== null && below(path, root) ? { root, name: relative(root, path) } : null);
  const read = (path: string) => readStored(path, inside(path));
  const make = async (path: string): Promise<void> => {
    const place = inside(dirname(path));
    if (place === null) await mkdir(dirname(path), { recursive: true });
    else await makeInside(place.root, place.name);
  };
  return {
    read: (path) => named(path, async () => read(path)),
    save: (path, text, version) => named(path, () => save(path, text, version, { read, make })),
    list: (folder) => named(folder, () => list(folder, inside(folder))),
  };
}

type Inside = { readonly root: string; readonly name: string } | null;

function readStored(path: string, inside: Inside): StoredEpic | null {
  const taken = inside === null ? takeOwn(path, MOST_BYTES) : takeInside(inside.root, inside.name, MOST_BYTES);
  if (taken === null) return null;
  if (taken.size > MOST_BYTES) return { text: null, version: `size ${taken.size}` };
  return { text: decoded(taken.bytes), version: versionOf(taken.bytes) };
}

/** Null where it is not UTF-8: written back it would not be the same. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const versionOf = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

async function save(
  given: string,
  text: string,
  version: string | null,
  { read, make }: { read(path: string): StoredEpic | null; make(path: string): Promise<void> },
): Promise<boolean> {
  // Before anything is written, where a link might lead elsewhere.
  if ((read(given)?.version ?? null) !== version) return false;
  await make(given);
  const path = (await realpath(given).catch(absent)) ?? join(await realpath(dirname(given)), basename(given));
  const lock = await takeLock(join(dirname(path), `.banksman-${basename(path)}.lock.tmp`));
  if (lock === null) return false;
  try {
    const found = read(path);
    if ((found?.version ?? null) !== version) return false;
    const mode = found === null ? 0o644 : (await lstat(path)).mode & 0o777;
    if ((mode & 0o222) === 0) throw new Error("it is read-only");
    await replace(path, text, mode);
    return true;
  } finally {
    await unlink(lock);
  }
}

/** Written beside, synced, renamed over, folder synced. */
async function replace(path: string, text: string, mode: number): Promise<void> {
  const beside = join(dirname(path), `.banksman-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
  const folder = await open(dirname(path), constants.O_RDONLY);
  await folder.sync().catch(() => undefined);
  await folder.close();
}

const TRIES = 100;
/** What is held for some milliseconds and cannot be read after this long was left by somebody who died over it. */
const LEFT_MS = 10_000;

/**
 * Held while a file is compared and replaced: some milliseconds. One whose holder died is broken by exactly one of those
 * who notice: whoever can make the file that is named after it, and it alone, may remove it.
 */
async function takeLock(path: string): Promise<string | null> {
  const own = JSON.stringify({ ...ourselves(), nonce: randomBytes(8).toString("hex") });
  for (let i = 0; i < TRIES; i++) {
    if (make(path, own)) return path;
    const dead = await deadLock(path);
    if (dead !== null && (await breakLock(path, dead))) continue;
    await sleep(20);
  }
  return null;
}

/** In one go: between two turns of the event loop, a kill would more often leave a file that says nothing. */
function make(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * The name of a lock whose process on this machine is gone, or which is old and another machine's: a container has a name
 * of its own each time. Null while it may be held.
 */
async function deadLock(path: string): Promise<string | null> {
  const info = await stat(path).catch(() => null);
  const text = readLockText(path);
  if (info === null || text === null) return null;
  const lock = readLock(text);
  if (lock === null) return isLeft(info) ? `${info.ino}-${Math.floor(info.mtimeMs)}` : null;
  return isGone(lock) || (lock.host !== ourselves().host && isLeft(info)) ? lock.nonce : null;
}

function readLockText(path: string): string | null {
  try {
    return readOwn(path, 4096);
  } catch {
    return null;
  }
}

function readLock(text: string): (Holder & { nonce: string }) | null {
  const fields = parseObject(text);
  const { pid, host, nonce, started } = fields ?? {};
  if (typeof pid !== "number" || typeof host !== "string" || typeof nonce !== "string") return null;
  if (!/^[0-9a-f]+$/.test(nonce)) return null;
  return { pid, host, nonce, started: typeof started === "number" ? started : null };
}

const isLeft = ({ mtimeMs }: { mtimeMs: number }): boolean => Date.now() - mtimeMs > LEFT_MS;

/** Whoever breaks it may die over that as well: then its mark is what was left. */
async function breakLock(path: string, name: string): Promise<boolean> {
  const mark = `${path.replace(/\.tmp$/, "")}.${name}.tmp`;
  if (!make(mark, "")) {
    const left = await stat(mark).catch(() => null);
    if (left !== null && isLeft(left)) await unlink(mark).catch(absent);
    return false;
  }
  // Somebody else may have broken it between our look and our mark.
  if ((await deadLock(path)) === name) await unlink(path).catch(absent);
  await unlink(mark).catch(absent);
  return true;
}

async function list(folder: string, inside: Inside): Promise<string[]> {
  const names = inside === null ? ((await readdir(folder).catch(absent)) ?? []) : listInside(inside.root, inside.name);
  return names
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .sort()
    .map((name) => join(folder, name));
}

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

async function named<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failed) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw new Failed({ kind: "disk.full", path });
    throw new Failed({ kind: "file.failed", path, detail: error instanceof Error ? error.message : String(error) });
  }
}
