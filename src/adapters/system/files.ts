import { randomBytes } from "node:crypto";
import {
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
} from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Failed } from "../../core/failure.ts";
import { below } from "../../core/paths.ts";
import type { Files } from "../../ports/files.ts";

export const systemFiles: Files = {
  write: (path, text, mode) => named(path, () => writeAtomically(path, text, mode, true)),
  writeInside: (root, name, text, mode) =>
    named(join(root, name), async () => {
      await makeInside(root, dirname(name));
      await writeAtomically(join(root, name), text, mode, false);
    }),
  makeInside: (root, name) => named(join(root, name), () => makeInside(root, name)),
  read: (path) => named(path, () => absent(readFile(path, "utf8"), null)),
  list: (folder) => named(folder, () => absent(readdir(folder), [])),
  copyInside: (from, root, name) =>
    named(join(root, name), async () => {
      const to = join(root, name);
      if ((await exists(to)) || !(await exists(from))) return false;
      await makeInside(root, dirname(name));
      const beside = temporary(to);
      try {
        await cp(from, beside, { recursive: true, verbatimSymlinks: true });
        await rename(beside, to);
      } catch (error) {
        await rm(beside, { recursive: true, force: true });
        throw error;
      }
      return true;
    }),
  linkInside: (target, root, name) =>
    named(join(root, name), async () => {
      const path = join(root, name);
      if ((await exists(path)) || !(await exists(target))) return false;
      await makeInside(root, dirname(name));
      await symlink(target, path);
      return true;
    }),
  blank: (path, from, isSecret) => named(path, () => absent(blankWords(path, from, isSecret), 0)),
  rotate: (path) => named(path, () => absent(rename(path, `${path}.1`), undefined)),
  inUse: (folder) => named(folder, () => standsIn(folder)),
  remove: (path) => named(path, () => rm(path, { recursive: true, force: true })),
};

/** Folder by folder, so that nothing is made on the other side of a link before it is noticed. */
async function makeInside(root: string, name: string): Promise<void> {
  const home = await realpath(root);
  let path = root;
  for (const part of name.split(sep).filter((each) => each !== "" && each !== ".")) {
    path = join(path, part);
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const real = await realpath(path);
    if (real !== home && !real.startsWith(`${home}${sep}`)) throw new Error("a link leads out of the folder");
  }
}

/** Named so that our excludes hide it from git if a crash leaves it behind. */
const temporary = (path: string): string => join(dirname(path), `.banksman-${randomBytes(6).toString("hex")}.tmp`);

/** Written beside, synced, renamed over, folder synced: a crash at any point leaves the old file or the new one. */
async function writeAtomically(path: string, text: string, mode: number, sync: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = temporary(path);
  try {
    const file = await open(beside, "wx", mode);
    try {
      await file.writeFile(text);
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
  if (!sync) return;
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
}

const WORD = /[A-Za-z0-9_-]{32,}/g;
const SECRET_LENGTH = 32;

/** Same length, same place: whoever appends meanwhile is not disturbed. */
async function blankWords(path: string, from: number, isSecret: (word: string) => boolean): Promise<number> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    // A word may have been cut in two by the last look.
    const begin = Math.max(0, Math.min(from, size) - SECRET_LENGTH);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - begin), 0, size - begin, begin);
    const text = buffer.subarray(0, bytesRead).toString("latin1");
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const at = [...Array(word.length - SECRET_LENGTH + 1).keys()].find((i) =>
        isSecret(word.slice(i, i + SECRET_LENGTH)),
      );
      if (at !== undefined) await file.write(Buffer.alloc(SECRET_LENGTH, "*"), 0, SECRET_LENGTH, begin + index + at);
    }
    return size;
  } finally {
    await file.close();
  }
}

/** By /proc, so on Linux alone. Other users' programs cannot be seen. */
async function standsIn(folder: string): Promise<boolean | null> {
  const home = await absent(realpath(folder), folder);
  const pids = (await absent(readdir("/proc"), [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return places.some((place) => below(place, home));
}

const exists = (path: string): Promise<boolean> =>
  absent(
    lstat(path).then(() => true),
    false,
  );

async function absent<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return instead;
    throw error;
  }
}

async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Failed({ kind: "disk.full", path });
    throw new Failed({ kind: "file.failed", path, detail: message });
  }
}
