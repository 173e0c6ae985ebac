import { readFileSync, readlinkSync, type Stats } from "node:fs";
import { type ByteName, onDisk, toBytes } from "./bytes.ts";
import type { GitRunner } from "./run.ts";

export interface Present {
  readonly name: ByteName;
  readonly stat: Stats;
}

/** git reads a list of names line by line, and takes one in quotes for an escaped one. */
const unlistable = (name: ByteName): boolean => /[\r\n]/.test(name) || name.startsWith('"');

/** Each file's bytes as they are on disk, or a link's target, as an object of the repository. */
export async function writeBlobs(git: GitRunner, cwd: string, present: readonly Present[]): Promise<string[]> {
  const listed = present.filter(({ name, stat }) => !stat.isSymbolicLink() && !unlistable(name));
  const hashed =
    listed.length === 0
      ? ""
      : await git.text(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
          cwd,
          input: toBytes(listed.map(({ name }) => `${name}\n`).join("")),
        });
  const byName = new Map(hashed.split("\n").map((blob, i) => [listed[i]?.name, blob]));
  const blobs: string[] = [];
  for (const { name, stat } of present) blobs.push(byName.get(name) ?? (await writeOne(git, onDisk(cwd, name), stat)));
  return blobs;
}

function writeOne(git: GitRunner, path: Buffer, stat: Stats): Promise<string> {
  const input = stat.isSymbolicLink() ? readlinkSync(path, { encoding: "buffer" }) : readFileSync(path);
  return git.text(["hash-object", "-w", "--no-filters", "--stdin"], { input });
}

export function modeOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return "120000";
  return (stat.mode & 0o100) !== 0 ? "100755" : "100644";
}
