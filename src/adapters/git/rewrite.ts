import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import type { Replay, RewriteOrder } from "../../ports/target.ts";
import { asAuthor, committer, filesBetween, hold, treeOf } from "./replay.ts";
import type { GitRunner } from "./run.ts";
import { withScratch } from "./scratch.ts";
import { treeWith } from "./tree-entries.ts";

/** Files that a command has made again, in a commit of their own. */
export async function rewrite(git: GitRunner, commonDir: string, order: RewriteOrder): Promise<Replay> {
  const { onto, texts } = order;
  return withScratch(commonDir, async (scratch) => {
    const env = { ...scratch.env, GIT_DIR: commonDir, GIT_INDEX_FILE: join(scratch.folder, "rewritten") };
    const before = await treeOf(git, onto, env);
    const lines: string[] = [];
    for (const [path, text] of texts) {
      const name = Buffer.from(path, "utf8").toString("latin1");
      if (text === null) lines.push(`0 ${"0".repeat(before.length)}\t${name}`);
      else lines.push(`100644 ${await git.text(["hash-object", "-w", "--stdin"], { env, input: text })}\t${name}`);
    }
    const tree = await treeWith(git, before, lines, env);
    if (tree === before) return { how: "nothing" };
    const identity = await committer(git, order.date);
    const call = { env: { ...env, ...identity, ...asAuthor(identity) }, input: `${order.message}\n` };
    const commit = (await git.text(["commit-tree", "-p", onto, "-F", "-", tree], call)) as Commit;
    await hold(git, commonDir, scratch, commit, onto);
    return { how: "made", commit, tree, files: await filesBetween(git, onto, commit, env) };
  });
}
