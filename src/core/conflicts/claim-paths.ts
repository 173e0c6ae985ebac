import picomatch from "picomatch";
import type { Claim, Region } from "../messages.ts";

/** What a claim covers: one file, everything below a folder (`src/`), or what a glob matches. */
export const pathOf = (claim: Claim): string => (typeof claim === "string" ? claim : claim.path);

export const regionsOf = (claim: Claim): readonly Region[] | null => (typeof claim === "string" ? null : claim.regions);

/** One key for every way to write a path: no `./`, no doubled or trailing slashes but the one that says "folder". */
export function normalPath(path: string): string {
  const parts = path
    .trim()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const folder = /(^|\/)\.?$/.test(path.trim()) && parts.length > 0;
  return `${parts.join("/")}${folder ? "/" : ""}`;
}

const isGlob = (path: string): boolean => /[*?[\]{}!]/.test(path);
const isFolder = (path: string): boolean => path.endsWith("/") || path === "";

/** Whether a pattern (file, folder or glob) covers a file. */
export function covers(pattern: string, file: string): boolean {
  if (pattern === file) return true;
  if (isGlob(pattern)) return matcher(pattern)(file);
  // A folder may be claimed without its slash: what lies below it is below it all the same.
  return file.startsWith(isFolder(pattern) ? pattern : `${pattern}/`);
}

/**
 * Where two patterns meet, as the narrower of them, or null. Two globs are compared by what comes before their first
 * wildcard: too much is said rather than too little, since an overlap of plans only informs.
 */
export function meet(a: string, b: string): string | null {
  if (a === b) return a;
  const [aGlob, bGlob] = [isGlob(a), isGlob(b)];
  if (!aGlob && covers(b, a)) return a;
  if (!bGlob && covers(a, b)) return b;
  if (!aGlob && !bGlob) return null;
  const [x, y] = [fixedPart(a), fixedPart(b)];
  if (aGlob && bGlob) return x.startsWith(y) || y.startsWith(x) ? (x.length >= y.length ? a : b) : null;
  // A folder and a glob that reaches into it.
  const [folder, glob] = aGlob ? [b, a] : [a, b];
  if (!isFolder(folder)) return null;
  return fixedPart(glob).startsWith(folder) || folder.startsWith(fixedPart(glob)) ? glob : null;
}

const fixedPart = (glob: string): string => glob.slice(0, glob.search(/[*?[\]{}!]/));

const MOST_MATCHERS = 1_000;
const matchers = new Map<string, (file: string) => boolean>();

function matcher(glob: string): (file: string) => boolean {
  const known = matchers.get(glob);
  if (known !== undefined) return known;
  if (matchers.size >= MOST_MATCHERS) matchers.clear();
  const made = picomatch(glob, { dot: true, nonegate: true });
  matchers.set(glob, made);
  return made;
}
