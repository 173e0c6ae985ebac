import { join } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { type ByteName, toBytes } from "./bytes.ts";
import type { GitRunner } from "./run.ts";

/** A tree, but with these paths as another one has them. */
export async function withEntriesOf(
  git: GitRunner,
  tree: string,
  other: string,
  paths: readonly ByteName[],
  call: { readonly env: Environment; readonly folder: string },
): Promise<string> {
  const env = { ...call.env, GIT_INDEX_FILE: join(call.folder, "kept") };
  const known = new Map(
    (await git.names(["ls-tree", "-r", "-z", "--full-tree", other], { env })).map((line) => [
      line.slice(line.indexOf("\t") + 1),
      line.replace(/^(\d+) \w+ /, "$1 "),
    ]),
  );
  const lines = paths.map((path) => known.get(path) ?? `0 ${"0".repeat(tree.length)}\t${path}`);
  return treeWith(git, tree, lines, env);
}

/** A tree with these lines of an index in it. Writes the index that the environment names. */
export async function treeWith(
  git: GitRunner,
  tree: string,
  lines: readonly string[],
  env: Environment,
): Promise<string> {
  await git.run(["read-tree", tree], { env });
  const input = toBytes(lines.map((line) => `${line}\0`).join(""));
  await git.run(["update-index", "-z", "--index-info"], { env, input });
  return git.text(["write-tree"], { env });
}
