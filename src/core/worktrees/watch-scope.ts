import { below } from "../text/paths.ts";
import type { WorktreeStatus } from "./report-work.ts";

/** What git does not look at, as it says it: a folder ends in a slash. */
export type Ignored = ReadonlySet<string>;

/** The folders a watch leaves out. A file of its own costs a watch nothing. */
export const leftOut = (ignored: Ignored): string[] => [...ignored].flatMap((name) => folderOf(name) ?? []);

/** Whether a path is ignored, or lies in a folder that is. */
export function isIgnored(path: string, ignored: Ignored): boolean {
  if (ignored.has(path)) return true;
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (ignored.has(`${path.slice(0, end)}/`)) return true;
  return false;
}

/** Whether a watch that left these folders out watches too much by now, or too little. */
export function isOutgrown(without: readonly string[], ignored: Ignored, { files }: WorktreeStatus): boolean {
  const known = new Set(without.map((folder) => `${folder}/`));
  return (
    leftOut(ignored).some((folder) => !isIgnored(folder, known)) ||
    [...files.keys()].some((file) => isIgnored(file, known))
  );
}

/**
 * Paths to look at after these have changed; null is everything. Some decide how others are seen, and a name that is no
 * text cannot be asked for.
 */
export const pathsToLookAt = (paths: readonly string[]): readonly string[] | null =>
  paths.some((path) => DECIDES_OTHERS.test(path) || path.includes("\ufffd")) ? null : paths;

/** Rules for git, and what makes a folder a repository of its own. */
const DECIDES_OTHERS = /(^|\/)\.git((ignore|attributes|modules)$|\/|$)/;

const folderOf = (name: string): string | null => (name.endsWith("/") ? name.slice(0, -1) : null);

/** Whether something in the shared git folder is about this checkout, whose own git folder is `own`. */
export function concernsCheckout(path: string, shared: string, own: string | null, branch: string | null): boolean {
  if (path === `${shared}/packed-refs` || (branch !== null && path === `${shared}/refs/heads/${branch}`)) return true;
  if (own === shared) return path === `${shared}/HEAD` || path === `${shared}/index`;
  return own !== null && below(path, own);
}
