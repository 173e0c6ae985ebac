import { Failed } from "../../core/failure/failed.ts";
import { findCaseTwins } from "../../core/text/case-twins.ts";
import type { Commit } from "../../core/text/ids.ts";
import { readable } from "./bytes.ts";
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
  const left = present.filter((name) => !gone.has(name));
  const [twin] = findCaseTwins(left.map(readable), added.map(readable));
  if (twin !== undefined) throw new Failed({ kind: "land.collision", paths: [twin[1], twin[0]] });
}
