import { accessSync, constants } from "node:fs";
import { isSecretName } from "../../core/conflicts/secret-names.ts";
import type { Environment } from "../../core/environment.ts";
import { below } from "../../core/paths.ts";
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
  readonly skipped: readonly string[];
  readonly bytes: number;
}

const LARGEST_UNTRACKED = 5 * 1024 * 1024;
/** Read anew at every edit, by every look. */
const LARGEST_TRACKED = 50 * 1024 * 1024;
/** A dependency folder nobody ignores: nothing anybody would merge. */
const MOST_UNTRACKED = 5_000;

/** `git` has filters off. What git was told not to look at is not looked at: nobody would commit it. */
export async function findUncommitted(
  git: GitRunner,
  skip: readonly string[],
  call: PresentCall,
): Promise<Uncommitted> {
  const { cwd } = call;
  // A submodule is its commit: what lies uncommitted in it is not part of any merge.
  const args = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "-z", "--untracked-files=all"];
  const lines = await git.names([...args, "--ignore-submodules=dirty", "--no-renames"], call);
  const put: ByteName[] = [];
  const drop: ByteName[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  let untracked = 0;
  for (const line of lines) {
    const entry = parseLine(line);
    if (entry === null || (line[0] === "1" && line[3] === ".")) continue;
    const { path: name, repository } = entry;
    const isNew = line[0] === "?";
    const stat = repository && !isNew ? lookAt(cwd, name) : fileAt(cwd, name);
    const unwanted =
      isSecretName(readable(name)) ||
      skip.some((each) => below(readable(name), each.replace(/^\.?\/|\/$/g, ""))) ||
      (stat?.size ?? 0) > (isNew ? LARGEST_UNTRACKED : LARGEST_TRACKED) ||
      (isNew && (stat === null || ++untracked > MOST_UNTRACKED)) ||
      (stat?.isFile() && !isReadable(cwd, name));
    if (unwanted) skipped.push(readable(name));
    else if (stat === null) drop.push(name);
    else {
      put.push(name);
      bytes += stat.size;
    }
  }
  return { head: headOf(lines), staged: lines.some((line) => /^(1 [^.]|u )/.test(line)), put, drop, skipped, bytes };
}

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
