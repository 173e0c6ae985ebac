import { INSTALLERS, listed, type ObeyedFiles, obeyedPart } from "./set-up-files.ts";

const LOCKS: ReadonlySet<string> = new Set(INSTALLERS.map(({ lock }) => lock));

/** Whether files are those of a package manager: it looks for them in the folders above as well. */
export const looksUpward = (names: readonly string[]): boolean => names.some((name) => LOCKS.has(name));

/** A package manager that finds no lock file here takes the nearest one above, which is another checkout's. */
export const whyNoLock = (names: readonly string[], files: ObeyedFiles): string | null =>
  looksUpward(names) && !Object.keys(files).some((name) => LOCKS.has(name))
    ? `this branch has no ${names.find((name) => LOCKS.has(name))}`
    : null;

/** The folders between a repository's root and a worktree below it, as names from the root; none for one beside it. */
export function foldersBetween(root: string, path: string): string[] {
  if (!path.startsWith(`${root}/`)) return [];
  const parts = path.slice(root.length + 1).split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}

const SOUGHT_ABOVE: ReadonlySet<string> = new Set(
  INSTALLERS.flatMap(({ obeys }) => obeys).filter((name) => !name.endsWith("/")),
);

/** Why a worktree may not be set up below folders that hold these names: nobody looks there, and package managers do. */
export function whyAbove(inside: readonly string[]): string | null {
  const found = inside.filter((name) => SOUGHT_ABOVE.has(name.slice(name.lastIndexOf("/") + 1)));
  return found.length === 0
    ? null
    : `package managers would obey ${listed(found)} above the worktree; remove ${found.length === 1 ? "it" : "them"}`;
}

/** Whether a repository's package.json makes our worktrees a part of itself: npm would then obey that one. */
export const takesWorktrees = (text: string): boolean =>
  obeyedPart("package.json")?.(text).includes(".banksman") === true;
