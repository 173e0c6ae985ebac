import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import { zeros } from "./objects.ts";
import type { GitRunner, Setting } from "./run.ts";
import { KEPT_BY, type Scratch } from "./scratch.ts";

/** Git does not wait for the disk by itself where it writes a ref. */
const ON_DISK: readonly Setting[] = [
  ["core.fsync", "all"],
  ["core.fsyncMethod", "fsync"],
];

/**
 * Puts a backup's commit, with everything that `known` does not reach, into the repository and makes `ref` for it. All of
 * it is on disk when this resolves, so that what it holds may be removed.
 *
 * The objects come as one pack that is marked as kept: `git prune` takes loose objects only, and a repacking leaves out
 * what is kept. The mark goes once the ref holds the pack. So a prune that has looked at all refs before ours was there
 * takes nothing from it. Where it has taken an object that we found in the repository before, the packing fails.
 */
export async function keepBackup(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  { ref, commit, known }: { readonly ref: string; readonly commit: Commit; readonly known: readonly string[] },
): Promise<void> {
  const keep = await movePack(join(commonDir, "objects/pack"), scratch, await packObjects(git, scratch, commit, known));
  // Read by git from the place where it stays: what cannot be read all the way down is no backup.
  await git.run([
    "rev-list",
    "--objects",
    "--quiet",
    "--exclude-promisor-objects",
    commit,
    "--not",
    "--ignore-missing",
    ...known,
  ]);
  await git.with(ON_DISK).run(["update-ref", "--create-reflog", ref, commit, zeros(commit)]);
  await syncRef(commonDir, ref);
  if (keep !== null) rmSync(keep, { force: true });
}

/** A ref's file, and the folders that lead to it. */
export async function syncRef(commonDir: string, ref: string): Promise<void> {
  for (let path = ref; path !== "."; path = dirname(path)) await sync(join(commonDir, path));
}

async function packObjects(
  git: GitRunner,
  { folder, env }: Scratch,
  commit: Commit,
  known: readonly string[],
): Promise<string> {
  const listed = await git.run(
    ["rev-list", "--objects", "--exclude-promisor-objects", commit, "--not", "--ignore-missing", ...known],
    {
      env,
    },
  );
  // No deltas: looking for them takes longer than all the rest, and what was packed before stays as it was.
  const args = ["pack-objects", "-q", "--window=0", join(folder, "pack", "pack")];
  return git.text(args, { env, input: listed.stdout, timeoutMs: PACK_TIMEOUT_MS });
}

const PACK_TIMEOUT_MS = 10 * 60_000;

/** The index last: with it the pack is there. Answers with the file that marks it as kept; null where it is another's. */
async function movePack(packs: string, { folder }: Scratch, name: string): Promise<string | null> {
  const keep = join(packs, `pack-${name}.keep`);
  const isOurs = !existsSync(keep);
  const files = readdirSync(join(folder, "pack")).filter((each) => each.startsWith(`pack-${name}.`));
  const indexLast = files.sort((a, b) => Number(a.endsWith(".idx")) - Number(b.endsWith(".idx")));
  for (const each of indexLast) await sync(join(folder, "pack", each));
  if (isOurs) writeFileSync(keep, `${KEPT_BY}${process.pid}\n`);
  for (const each of indexLast) renameSync(join(folder, "pack", each), join(packs, each));
  await sync(packs);
  return isOurs ? keep : null;
}

/** Not where it is no file of its own: another way of storing refs has other files, and syncs them itself. */
async function sync(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}
