import type { Claim, Region } from "./claim.ts";
import { compileGlob, type Glob } from "./glob.ts";

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

/** Names may hold brackets (`app/[id]/page.tsx`): such a path is its name first, and what it matches as well. */
export const isGlob = (path: string): boolean => /[*?{[]/.test(path);
/** No name anybody would give a file. */
const isWild = (path: string): boolean => /[*?{]/.test(path);

/** Whether a pattern (file, folder or glob) covers a file. */
export const covers = (pattern: string, file: string): boolean =>
  contains(pattern, file) || (isGlob(pattern) && globOf(pattern).matches(file));

/** As they are written. A folder may be named without its slash: what lies below it is below it all the same. */
function contains(path: string, other: string): boolean {
  if (path === "" || path === other) return true;
  const length = path.endsWith("/") ? path.length - 1 : path.length;
  return other.startsWith(path.slice(0, length)) && (other.length === length || other[length] === "/");
}

let asked: { readonly path: string; readonly containers: readonly string[] } = { path: "", containers: [""] };

/**
 * Every path that contains this one as it is written, itself in both spellings among them. One path is asked about at all
 * agents, one after the other.
 */
export function containersOf(path: string): readonly string[] {
  if (path !== asked.path) asked = { path, containers: listContainers(path) };
  return asked.containers;
}

function listContainers(path: string): string[] {
  const plain = path.endsWith("/") ? path.slice(0, -1) : path;
  const found = [plain, `${plain}/`];
  for (let at = plain.lastIndexOf("/"); at > 0; at = plain.lastIndexOf("/", at - 1))
    found.push(plain.slice(0, at), plain.slice(0, at + 1));
  return plain === "" ? [""] : [...found, ""];
}

/**
 * Where two patterns meet, as the narrower of them, or null. Two globs are compared by what comes before their first
 * wildcard: too much is said rather than too little, since an overlap of plans only informs.
 */
export function meet(a: string, b: string): string | null {
  if (contains(b, a)) return a;
  if (contains(a, b)) return b;
  const [aWild, bWild] = [isWild(a), isWild(b)];
  if (!aWild && covers(b, a)) return a;
  if (!bWild && covers(a, b)) return b;
  if (!aWild && !bWild) return null;
  const [x, y] = [fixedPart(a), fixedPart(b)];
  if (aWild && bWild) return x.startsWith(y) || y.startsWith(x) ? (x.length >= y.length ? a : b) : null;
  const [folder, glob] = aWild ? [b, a] : [a, b];
  return isFolder(folder) && globOf(glob).reachesInto(folder) ? glob : null;
}

/** By its slash, or by a name without an ending. */
const isFolder = (path: string): boolean => !/\.[^/]*$/.test(path);

const fixedPart = (glob: string): string => glob.slice(0, glob.search(/[*?{[]/));

const MOST_KEPT = 10_000;
const kept = new Map<string, Glob>();

function globOf(pattern: string): Glob {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = compileGlob(pattern);
  kept.set(pattern, made);
  return made;
}
