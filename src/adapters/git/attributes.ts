import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import { isInside } from "../../core/text/paths.ts";
import { onDisk } from "./bytes.ts";
import type { GitCall, GitRunner } from "./run.ts";

const MOST = 200;

/**
 * What a merge reads of a checkout, and only from files: a commit's .gitattributes, each at its place below `folder`, and
 * its .gitmodules.
 */
export async function layAttributes(git: GitRunner, commit: Commit, folder: string, call: GitCall): Promise<void> {
  const listed = await git.names(["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit], call);
  const entries = listed.flatMap((line) => {
    const [, mode, blob = "", name = ""] =
      /^(\d+) blob ([0-9a-f]+)\t((?:.*\/)?\.gitattributes|\.gitmodules)$/s.exec(line) ?? [];
    return mode?.startsWith("100") && isInside(name) ? [{ blob, name }] : [];
  });
  for (const { blob, name } of entries.slice(0, MOST)) {
    mkdirSync(onDisk(folder, dirname(name)), { recursive: true });
    writeFileSync(onDisk(folder, name), (await git.run(["cat-file", "blob", blob], call)).stdout);
  }
}
