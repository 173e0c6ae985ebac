import type { Change } from "./prediction.ts";

/**
 * Whether a merge of two sides can be anything but clean without a look at it. What only one side changed is taken as it
 * is, unless the other moved something there, so there are three ways to meet:
 * - both changed a path (a rename is its two paths);
 * - a file of one has the place of a folder the other works in;
 * - one adds a file to a folder from which the other took files away: git may take the folder for renamed, and move the
 *   new file along or ask where it belongs.
 * Meeting is not yet a conflict; not meeting is never one.
 */
export function meets(ours: readonly Change[], theirs: readonly Change[]): boolean {
  const [a, b] = [footprint(ours), footprint(theirs)];
  return (
    intersect(a.paths, b.paths) ||
    intersect(a.paths, b.folders) ||
    intersect(a.folders, b.paths) ||
    intersect(a.gains, b.loses) ||
    intersect(a.loses, b.gains)
  );
}

/** Whether a change of one path could matter to a side that has changed these. */
export const touches = (path: string, others: readonly Change[]): boolean => {
  const { paths, folders } = footprint(others);
  return paths.has(path) || folders.has(path) || above(path).some((folder) => paths.has(folder));
};

interface Footprint {
  readonly paths: ReadonlySet<string>;
  /** Every folder above a changed path. */
  readonly folders: ReadonlySet<string>;
  /** Those above an added path, and above a removed one. */
  readonly gains: ReadonlySet<string>;
  readonly loses: ReadonlySet<string>;
}

/** A side's changes meet those of every other one. */
const footprints = new WeakMap<readonly Change[], Footprint>();

function footprint(changes: readonly Change[]): Footprint {
  const known = footprints.get(changes);
  if (known !== undefined) return known;
  const foldersOf = (some: readonly Change[]) => new Set(some.flatMap(({ path }) => above(path)));
  const made = {
    paths: new Set(changes.map(({ path }) => path)),
    folders: foldersOf(changes),
    gains: foldersOf(changes.filter(({ how }) => how === "added")),
    loses: foldersOf(changes.filter(({ how }) => how === "removed")),
  };
  footprints.set(changes, made);
  return made;
}

/** `a/b/c` is in `a` and `a/b`. The top folder cannot be renamed, and is none. */
function above(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at));
  return found;
}

function intersect(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const each of few) if (many.has(each)) return true;
  return false;
}
