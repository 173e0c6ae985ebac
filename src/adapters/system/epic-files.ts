import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure.ts";
import type { EpicStore, StoredEpic } from "../../ports/epic-store.ts";

/** More than this is not even read. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Markdown files, anywhere. */
export const epicFiles: EpicStore = {
  read: (path) => named(path, () => readStored(path)),
  save: (path, text, version) => named(path, () => save(path, text, version)),
  list: (folder) => named(folder, () => list(folder)),
};

async function readStored(path: string): Promise<StoredEpic | null> {
  const info = await stat(path).catch(absent);
  if (info === null) return null;
  if (!info.isFile()) throw new Error("it is not a file");
  if (info.size > MOST_BYTES) return { text: null, version: `size ${info.size}` };
  const bytes = await readFile(path).catch(absent);
  return bytes === null ? null : { text: decoded(bytes), version: versionOf(bytes) };
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

async function save(given: string, text: string, version: string | null): Promise<boolean> {
  await mkdir(dirname(given), { recursive: true });
  const path = (await realpath(given).catch(absent)) ?? join(await realpath(dirname(given)), basename(given));
  const lock = await takeLock(join(dirname(path), `.banksman-${basename(path)}.lock.tmp`));
  if (lock === null) return false;
  try {
    const found = await readStored(path);
    if ((found?.version ?? null) !== version) return false;
    const mode = found === null ? 0o644 : (await lstat(path)).mode & 0o777;
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

/**
 * Held while a file is compared and replaced: some milliseconds. One whose holder died is broken by exactly one of those
 * who notice: whoever can make the file that is named after it, and it alone, may remove it.
 */
async function takeLock(path: string): Promise<string | null> {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), nonce: randomBytes(8).toString("hex") });
  for (let i = 0; i < TRIES; i++) {
    const made = await writeFile(path, own, { flag: "wx" }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
    if (made) return path;
    const dead = await deadHolder(path);
    if (dead !== null && (await breakLock(path, dead))) continue;
    await sleep(20);
  }
  return null;
}

/** The nonce of a lock whose process on this machine is gone. */
async function deadHolder(path: string): Promise<string | null> {
  try {
    const { pid, host, nonce } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    if (typeof pid !== "number" || host !== hostname() || typeof nonce !== "string" || !/^[0-9a-f]+$/.test(nonce))
      return null;
    return lives(pid) ? null : nonce;
  } catch {
    return null;
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function breakLock(path: string, nonce: string): Promise<boolean> {
  const mark = `${path.replace(/\.tmp$/, "")}.${nonce}.tmp`;
  try {
    await writeFile(mark, "", { flag: "wx" });
  } catch {
    return false;
  }
  await unlink(path);
  await unlink(mark);
  return true;
}

async function list(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(absent)) ?? [];
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
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw new Failed({ kind: "disk.full", path });
    throw new Failed({ kind: "file.failed", path, detail: error instanceof Error ? error.message : String(error) });
  }
}
