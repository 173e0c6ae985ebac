import type { Finding } from "../messages/finding.ts";
import { findCaseTwins } from "../text/case-twins.ts";
import type { FileChange, Inspection } from "./inspection.ts";

const MOST_COLLISIONS = 20;

/** What no gate here would show, and what must not land all the same: not everybody could check it out. */
export const findRefusals = ({ collisions = [] }: Pick<Inspection, "collisions">): Finding[] =>
  collisions.map(([file, other]) => ({
    tag: "regression",
    kind: "conflict",
    message: `differs from ${other} only in upper and lower case: macOS and Windows have room for one of them`,
    file,
  }));

/** Files that a branch adds beside one of nearly the same name. */
export function findCollisions(
  changes: readonly FileChange[],
  paths: readonly string[],
): (readonly [string, string])[] {
  const added = changes.filter(({ how }) => how === "added" || how === "renamed").map(({ path }) => path);
  if (added.length === 0) return [];
  const own = new Set(added);
  return findCaseTwins(
    paths.filter((path) => !own.has(path)),
    added,
  ).slice(0, MOST_COLLISIONS);
}
