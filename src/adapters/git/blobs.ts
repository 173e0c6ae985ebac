import { readlinkSync, type Stats } from "node:fs";
import { type ByteName, onDisk, toBytes } from "./bytes.ts";
import { readBytes } from "./read-small.ts";
import type { GitRunner, WorktreeCall } from "./run.ts";

export interface Present {
  readonly name: ByteName;
  readonly stat: Stats;
}

/** git reads a list of names line by line, and takes one in quotes for an escaped one. */
const unlistable = (name: ByteName): boolean => /[\r\n]/.test(name) || name.startsWith('"');

/** Gigabytes that nobody has committed take their time. */
const TIMEOUT_MS = 10 * 60_000;

/** The name each file's bytes, as they are on disk, or a link's target, have as an object. */
export const hashFiles = (git: GitRunner, call: WorktreeCall, present: readonly Present[]): Promise<string[]> =>
  nameBlobs(git, call, present, []);

/** The same, and the objects are written. */
export const writeBlobs = (git: GitRunner, call: WorktreeCall, present: readonly Present[]): Promise<string[]> =>
  nameBlobs(git, call, present, ["-w"]);

async function nameBlobs(
  git: GitRunner,
  call: WorktreeCall,
  present: readonly Present[],
  how: readonly string[],
): Promise<string[]> {
  const args = ["hash-object", ...how, "--no-filters"];
  const listed = present.filter(({ name, stat }) => !stat.isSymbolicLink() && !unlistable(name));
  const input = toBytes(listed.map(({ name }) => `${name}\n`).join(""));
  const reading = { ...call, timeoutMs: TIMEOUT_MS };
  const hashed = listed.length === 0 ? "" : await git.text([...args, "--stdin-paths"], { ...reading, input });
  const byName = new Map(hashed.split("\n").map((blob, i) => [listed[i]?.name, blob]));
  const one = ({ name, stat }: Present) => {
    const path = onDisk(call.cwd, name);
    const bytes = stat.isSymbolicLink() ? readlinkSync(path, { encoding: "buffer" }) : readBytes(path);
    return git.text([...args, "--stdin"], { ...call, input: bytes });
  };
  const blobs: string[] = [];
  for (const each of present) blobs.push(byName.get(each.name) ?? (await one(each)));
  return blobs;
}

export function modeOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return "120000";
  return (stat.mode & 0o100) !== 0 ? "100755" : "100644";
}
