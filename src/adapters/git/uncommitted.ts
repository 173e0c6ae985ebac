import { accessSync, constants } from "node:fs";
import type { Environment } from "../../core/clis/environment.ts";
import { below } from "../../core/text/paths.ts";
import { isSecretName } from "../../core/text/secret-names.ts";
import { type ByteName, lookAt, onDisk, readable } from "./bytes.ts";
import type { GitRunner } from "./run.ts";
import { fileAt, parseLine } from "./status.ts";

/** In a worktree, with what keeps it from writing or fetching. */
export interface PresentCall {
  readonly cwd: string;
  readonly env: Environment;
}

/** What a worktree has that its index does not, as far as a prediction looks at it. */
export interface Uncommitted {
  readonly head: string | null;
  /** Whether the index differs from HEAD. */
  readonly staged: boolean;
  readonly put: readonly ByteName[];
  readonly drop: readonly ByteName[];
  /** Repositories inside that git does not know: added, they are their commits. */
  readonly nested: readonly ByteName[];
  readonly skipped: readonly string[];
  readonly bytes: number;
}

const LARGEST_UNTRACKED = 5 * 1024 * 1024;
/** Read anew at every edit, by every look. */
const LARGEST_TRACKED = 50 * 1024 * 1024;
/** A dependency folder nobody ignores: nothing anybody would merge. */
const MOST_UNTRACKED = 5_000;

/** What git was told not to look at is not looked at: nobody would commit it. */
export async function findUncommitted(
  git: GitRunner,
  skip: readonly string[],
  call: PresentCall,
): Promise<Uncommitted> {
  const { cwd } = call;
  // A submodule is its commit: what lies uncommitted in it is not part of any merge.
  const args = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--untracked-files=all"];
  const lines = await git.names([...args, "--ignore-submodules=dirty", "--no-renames"], call);
  const found = { put: [] as ByteName[], drop: [] as ByteName[], nested: [] as ByteName[], skipped: [] as string[] };
  let bytes = 0;
  let untracked = 0;
  for (const line of lines) {
    const entry = parseLine(line);
    if (entry === null || (line[0] === "1" && line[3] === ".")) continue;
    const { path: name, repository } = entry;
    const isNew = line[0] === "?";
    const stat = repository ? lookAt(cwd, name) : fileAt(cwd, name);
    const size = stat?.isFile() ? stat.size : 0;
    if (isPrivate(readable(name), skip)) found.skipped.push(readable(name));
    else if (isNew && repository) found.nested.push(name.slice(0, -1));
    else if (stat === null) found.drop.push(name);
    else if (size > (isNew ? LARGEST_UNTRACKED : LARGEST_TRACKED) || (isNew && ++untracked > MOST_UNTRACKED))
      found.skipped.push(readable(name));
    else if (stat.isFile() && !isReadable(cwd, name)) found.skipped.push(readable(name));
    else {
      found.put.push(name);
      bytes += size;
    }
  }
  const staged = lines.some((line) => /^(1 [^.]|u )/.test(line));
  return { head: headOf(lines), staged, ...found, bytes };
}

const isPrivate = (name: string, skip: readonly string[]): boolean =>
  isSecretName(name) || skip.some((each) => below(name, each.replace(/^\.?\/|\/$/g, "")));

function headOf(lines: readonly string[]): string | null {
  const oid = lines.find((line) => line.startsWith("# branch.oid "))?.slice("# branch.oid ".length);
  return oid === undefined || oid === "(initial)" ? null : oid;
}

function isReadable(cwd: string, name: ByteName): boolean {
  try {
    accessSync(onDisk(cwd, name), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
