import { Failed } from "../../core/failure/failed.ts";
import type { Commit } from "../../core/text/ids.ts";
import { type ByteName, isText, readable } from "./bytes.ts";
import type { GitRunner } from "./run.ts";

/** What cannot land, whatever its gates say: it has nothing in common with the target, or names that meet but for case. */
export async function refuseUnfit(git: GitRunner, tip: Commit, onto: Commit): Promise<void> {
  const base = await git.text(["merge-base", tip, onto], { answers: [1] });
  if (base === "") throw new Failed({ kind: "land.unrelated" });
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", base.split("\n")[0] ?? "", tip];
  const fields = await git.names(args);
  const those = (status: string) => fields.filter((_, i) => i % 2 === 1 && fields[i - 1] === status);
  const added = those("A");
  if (added.length === 0) return;
  const gone = new Set(those("D"));
  const present = await git.names(["ls-tree", "-r", "-z", "--name-only", "--full-tree", onto]);
  const paths = meeting(
    present.filter((name) => !gone.has(name)),
    added,
  );
  if (paths !== null) throw new Failed({ kind: "land.collision", paths: paths.map(readable) });
}

/** An added name, or the name of its folder, that is there but for its case; what was there before is let be. */
function meeting(present: readonly ByteName[], added: readonly ByteName[]): ByteName[] | null {
  const known = new Map<string, Set<ByteName>>();
  const enter = (name: ByteName): ReadonlySet<ByteName> => {
    const there = known.get(folded(name)) ?? new Set();
    known.set(folded(name), there.add(name));
    return there;
  };
  for (const name of present) for (const each of withFolders(name)) enter(each);
  for (const name of added)
    for (const each of withFolders(name)) {
      const before = known.get(folded(each));
      if (before !== undefined && !before.has(each)) return [...before, each];
      enter(each);
    }
  return null;
}

const folded = (name: ByteName): string =>
  isText(name) ? readable(name).toLowerCase() : name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

function withFolders(name: ByteName): ByteName[] {
  const names = [name];
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) names.push(name.slice(0, at));
  return names;
}
