import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { cp, lstat, mkdir, open, readdir, readlink, realpath, rename, rm, symlink, unlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { below, inGitFolder } from "../../core/text/paths.ts";
import type { Files, Peek } from "../../ports/files.ts";
import { blankIn } from "./blank-tokens.ts";
import { digestInside, listInside, readInside, readOwn, type Taken, takeInside } from "./inside.ts";

/** More than any document, config or spec that people write. */
const MOST_TEXT = 4 * 1024 * 1024;
const MOST_OWN = 64 * 1024 * 1024;
/** Lock files of large projects have several megabytes. */
const MOST_DIGESTED = 64 * 1024 * 1024;

export const systemFiles: Files = {
  write: (path, text, mode) => named(path, () => writeAtomically(path, text, mode, true)),
  writeInside: (root, name, text, mode) =>
    named(join(root, name), async () => {
      await makeInside(root, dirname(name));
      await writeAtomically(join(root, name), text, mode, false);
    }),
  makeInside: (root, name) => named(join(root, name), () => makeInside(root, name)),
  makeLogInside: (root, name) =>
    named(join(root, name), async () => {
      await makeInside(root, dirname(name));
      await makeLog(join(root, name));
    }),
  read: (path) => named(path, async () => readOwn(path, MOST_OWN)),
  readInside: (root, name, most = MOST_TEXT) => named(join(root, name), async () => readInside(root, name, most)),
  peekInside: (root, name, most) => named(join(root, name), async () => peek(takeInside(root, name, most))),
  listInside: (root, name) => named(join(root, name), async () => listInside(root, name)),
  digestInside: (root, name, part) =>
    named(join(root, name), async () => digestInside(root, name, MOST_DIGESTED, part)),
  list: (folder) => named(folder, () => absent(readdir(folder), [])),
  copyInside: (from, root, name) =>
    named(join(root, name), async () => {
      const to = join(root, name);
      if ((await exists(to)) || !(await exists(join(from, name)))) return false;
      await staysInside(from, join(from, dirname(name)));
      await makeInside(root, dirname(name));
      const beside = temporary(to);
      try {
        await cp(join(from, name), beside, { recursive: true, verbatimSymlinks: true });
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
  blank: (path, from, isToken) => named(path, () => absent(blankIn(path, from, isToken), 0)),
  rotate: (path) => named(path, () => absent(rename(path, `${path}.1`), undefined)),
  inUse: (folder) => named(folder, () => standsIn(folder)),
  remove: (path) => named(path, () => rm(path, { recursive: true, force: true })),
};

/** Folder by folder, so that nothing is made on the other side of a link before it is noticed. */
export async function makeInside(root: string, name: string): Promise<void> {
  const parts = name.split(sep).filter((each) => each !== "" && each !== ".");
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await staysInside(root, path);
    if (parts[0] === OURS && (await lstat(path)).isSymbolicLink()) throw new Error("a folder above it is a link");
  }
}

const OURS = ".banksman";

async function staysInside(root: string, path: string): Promise<void> {
  const [home, real] = [await realpath(root), await realpath(path)];
  if (!below(real, home)) throw new Error("a link leads out of the folder");
  if (inGitFolder(relative(home, real))) throw new Error("a link leads into git's own folder");
}

async function makeLog(path: string): Promise<void> {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? new Error("it is a link") : error;
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is not a file");
    if (stat.nlink > 1) throw new Error("it has another name elsewhere");
  } finally {
    await file.close();
  }
}

function peek(taken: Taken | null): Peek | null {
  if (taken === null) return null;
  const { bytes, size } = taken;
  const text = bytes.includes(0) ? null : Buffer.from(bytes).toString("utf8");
  return { text, bytes: size, truncated: size > bytes.length };
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
    if (error instanceof Failed) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw new Failed({ kind: "disk.full", path });
    throw new Failed({ kind: "file.failed", path, detail: message });
  }
}
