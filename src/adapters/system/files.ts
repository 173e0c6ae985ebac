import { cp, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, symlink, unlink } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Failed } from "../../core/failure.ts";
import type { Files } from "../../ports/files.ts";

let counter = 0;

export const systemFiles: Files = {
  write: (path, text, mode) => named(path, () => writeAtomically(path, text, mode, true)),
  writeInside: (root, name, text, mode) =>
    named(join(root, name), async () => {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true });
      const [home, real] = [await realpath(root), await realpath(dirname(path))];
      if (real !== home && !real.startsWith(`${home}${sep}`)) throw new Error("a link leads out of the worktree");
      await writeAtomically(path, text, mode, false);
    }),
  read: (path) => named(path, () => absent(readFile(path, "utf8"), null)),
  list: (folder) => named(folder, () => absent(readdir(folder), [])),
  copy: (from, to) =>
    named(to, async () => {
      if ((await exists(to)) || !(await exists(from))) return false;
      await mkdir(dirname(to), { recursive: true });
      await cp(from, to, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true });
      return true;
    }),
  link: (target, path) =>
    named(path, async () => {
      if ((await exists(path)) || !(await exists(target))) return false;
      await mkdir(dirname(path), { recursive: true });
      await symlink(target, path);
      return true;
    }),
  remove: (path) => named(path, () => rm(path, { recursive: true, force: true })),
};

/** Written beside, synced, renamed over, folder synced: a crash at any point leaves the old file or the new one. */
async function writeAtomically(path: string, text: string, mode: number, sync: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${process.pid}-${++counter}.tmp`);
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(text);
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  if (!sync) return;
  const folder = await open(dirname(path), "r");
  await folder.sync().finally(() => folder.close());
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
