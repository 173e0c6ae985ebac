import type { Finding } from "../messages/finding.ts";
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
  const added = new Set(changes.filter(({ how }) => how === "added" || how === "renamed").map(({ path }) => path));
  const others = new Map<string, string[]>();
  for (const path of paths) {
    const folded = path.toLowerCase();
    const same = others.get(folded);
    if (same === undefined) others.set(folded, [path]);
    else same.push(path);
  }
  return [...added]
    .flatMap((path) => {
      const other = others.get(path.toLowerCase())?.find((each) => each !== path);
      return other === undefined ? [] : [[path, other] as const];
    })
    .slice(0, MOST_COLLISIONS);
}
