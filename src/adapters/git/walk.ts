import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { forEachAtMost } from "../../async/turns.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type ByteName, onDisk, readable } from "./bytes.ts";

/** What a look into every folder of a worktree finds, ignored ones included; links are not followed. */
export interface Walked {
  /** Whether there is anything but `.git`. */
  readonly hasFiles: boolean;
  /** Folders with a `.git` of their own, whatever that is. */
  readonly repositories: readonly ByteName[];
  /** Folders that look like a bare repository: they may also be files that somebody has committed. */
  readonly bare: readonly ByteName[];
  /** Files by which git ignores others. */
  readonly ignoreFiles: readonly ByteName[];
  /** Ignore and attribute files that are pipes or devices: git would wait for them. */
  readonly blocking: readonly ByteName[];
  /** Folders that could not be read, for people. */
  readonly unreadable: readonly string[];
}

const AT_ONCE = 8;
const READ_EVERYWHERE: ReadonlySet<string> = new Set([".gitignore", ".gitattributes"]);
const GONE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);
/** Not about the folder: there is no memory, no more files may be open. */
const PASSING: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EIO"]);

/** Looks into every folder below `root`: 60,000 files in 600 folders take 0.1 s. */
export async function walk(root: string): Promise<Walked> {
  const found = {
    repositories: [] as ByteName[],
    bare: [] as ByteName[],
    ignoreFiles: [] as ByteName[],
    blocking: [] as ByteName[],
    unreadable: [] as string[],
  };
  let hasFiles = false;
  let level: ByteName[] = [""];
  while (level.length > 0) {
    const next: ByteName[] = [];
    await forEachAtMost(AT_ONCE, level, async (folder) => {
      const entries = await list(root, folder, found.unreadable);
      const names = new Set(entries.map(({ name }) => name));
      const isRoot = folder === "";
      if (isRoot) hasFiles = entries.some(({ name }) => name !== ".git");
      else if (names.has(".git")) found.repositories.push(folder);
      if (names.has(".gitignore")) found.ignoreFiles.push(isRoot ? ".gitignore" : `${folder}/.gitignore`);
      for (const entry of entries)
        if (READ_EVERYWHERE.has(entry.name) && (entry.isFIFO() || entry.isCharacterDevice()))
          found.blocking.push(isRoot ? entry.name : `${folder}/${entry.name}`);
      if (!isRoot && ["HEAD", "objects", "refs"].every((name) => names.has(name))) found.bare.push(folder);
      // A repository's own folder is looked at as a repository, not as files.
      for (const entry of entries)
        if (entry.isDirectory() && entry.name !== ".git") next.push(isRoot ? entry.name : `${folder}/${entry.name}`);
    });
    level = next;
  }
  const { repositories, bare, ignoreFiles, blocking, unreadable } = found;
  return {
    hasFiles,
    repositories: repositories.sort(),
    bare: bare.sort(),
    ignoreFiles: ignoreFiles.sort(),
    blocking: blocking.sort(),
    unreadable,
  };
}

/** The ignore files of the worktree itself, or of one repository inside, by their names in it. */
export function ignoreFilesOf({ ignoreFiles, repositories }: Walked, repository: ByteName): ByteName[] {
  const inner = repositories.filter((each) => each !== repository && isBelow(each, repository));
  return ignoreFiles
    .filter((name) => isBelow(name, repository) && !inner.some((each) => isBelow(name, each)))
    .map((name) => (repository === "" ? name : name.slice(repository.length + 1)));
}

const isBelow = (name: ByteName, folder: ByteName): boolean => folder === "" || name.startsWith(`${folder}/`);

async function list(root: string, folder: ByteName, unreadable: string[]): Promise<Dirent[]> {
  try {
    // One character per byte, as names are everywhere in this folder.
    return await readdir(onDisk(root, folder), { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (PASSING.has(code))
      throw new Failed({ kind: "file.failed", path: `${root}/${readable(folder)}`, detail: message });
    if (!GONE.has(code)) unreadable.push(readable(folder) || ".");
    return [];
  }
}
