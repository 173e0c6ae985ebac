import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import { readBatch } from "./batch.ts";
import { hashFiles } from "./blobs.ts";
import { onDisk } from "./bytes.ts";
import { readBytes } from "./read-small.ts";
import type { GitRunner } from "./run.ts";
import type { Scratch } from "./scratch.ts";
import { fileAt } from "./status.ts";

/** A checkout that was cut short leaves one file in its middle, or a few: more is somebody's work. */
const MOST_CUT = 20;
const LARGEST = 8 * 1024 * 1024;

/**
 * Whether a folder holds nothing but what a checkout of `head` has written so far: files of it, the last of them perhaps
 * only to their middle, and no other file, ignored or not.
 */
export async function holdsOnlyCheckout(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  { path, head }: { readonly path: string; readonly head: Commit },
): Promise<boolean> {
  const env = { ...scratch.env, GIT_DIR: commonDir, GIT_WORK_TREE: path, GIT_INDEX_FILE: join(scratch.folder, "head") };
  const call = { cwd: path, env };
  await git.run(["read-tree", head], call);
  if ((await git.run(["ls-files", "--others", "-z"], call)).stdout.length > 0) return false;
  const present = (await git.names(["ls-files", "--stage", "-z"], call)).flatMap((line) => {
    const [, blob = "", name = ""] = /^\d+ ([0-9a-f]+) 0\t([\s\S]+)$/.exec(line) ?? [];
    const stat = fileAt(path, name);
    return stat === null ? [] : [{ blob, name, stat }];
  });
  const hashes = await hashFiles(git, call, present);
  const cut = present.filter(({ blob }, i) => hashes[i] !== blob);
  if (cut.length > MOST_CUT || cut.some(({ stat }) => !stat.isFile() || stat.size > LARGEST)) return false;
  const wanted = await readBatch(
    git,
    cut.map(({ blob }) => blob),
  );
  return cut.every(({ blob, name }) => {
    const there = readBytes(onDisk(path, name));
    return wanted.get(blob)?.subarray(0, there.length).equals(there) === true;
  });
}
