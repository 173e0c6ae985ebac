import { readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { readable } from "./bytes.ts";
import { readSmallFile } from "./small-file.ts";
import { walk } from "./walk.ts";

/** What git opens by name in a record, whatever it is asked. */
const OF_RECORD = [
  ...["HEAD", "commondir", "gitdir", "locked", "config.worktree", "index", "logs/HEAD"],
  ...["MERGE_HEAD", "info/exclude", "info/attributes", "info/sparse-checkout"],
];
/** Of every record, when git asks which branches are checked out. */
const OF_EVERY_RECORD = ["HEAD", "commondir", "gitdir", "locked"];
const OF_REPOSITORY = ["HEAD", "config", "packed-refs", "shallow", "info/exclude", "info/attributes"];
/** Those in folders further down are found when git has not come back. */
const OF_FOLDER = [".gitignore", ".gitattributes", ".gitmodules", ".banksman/.gitignore"];

/** Commands that look at the records of all worktrees. */
const ASK_ALL: ReadonlySet<string | undefined> = new Set(["worktree", "rebase", "branch", "checkout", "switch"]);

/**
 * What git would wait for without end. It opens these files as they come: a pipe in the place of one, which an agent can
 * put there, holds it up until its time is over, and others behind it. A pipe in a record is taken away: it holds nothing,
 * nobody but git writes there, and every worktree of the repository would be held up by it. In a worktree it is its
 * agent's matter, and named.
 */
export function createBlocking(commonDir: string | null) {
  /** Per place, what has held git up there. */
  const known = new Map<string, string>();
  return {
    /** Throws `git.blocked` where a call would not come back. */
    refuse(args: readonly string[], cwd: string, env: Environment): void {
      const record = recordOf(cwd, env);
      if (record !== null) takePipes(record, OF_RECORD);
      const common = commonDir ?? (record === null ? null : dirname(dirname(record)));
      if (common !== null) {
        if (ASK_ALL.has(args[0]) || args.includes("--all"))
          for (const each of recordsIn(common)) takePipes(each, OF_EVERY_RECORD);
        refuseAll(OF_REPOSITORY.map((name) => join(common, name)));
      }
      const held = known.get(cwd);
      refuseAll([...OF_FOLDER.map((name) => join(cwd, name)), ...(held === undefined ? [] : [held])]);
      known.delete(cwd);
    },
    /** A call took too long: throws `git.blocked`, now and from now on, where that was such a file. */
    async explain(cwd: string): Promise<void> {
      const [first] = (await walk(cwd)).blocking;
      if (first === undefined) return;
      known.set(cwd, join(cwd, readable(first)));
      throw new Failed({ kind: "git.blocked", path: join(cwd, readable(first)) });
    },
  };
}

export type Blocking = ReturnType<typeof createBlocking>;

function recordOf(cwd: string, env: Environment): string | null {
  const link = env.GIT_DIR ?? /^gitdir: ([^\n\0]+)\n*$/.exec(readSmallFile(join(cwd, ".git")) ?? "")?.[1];
  if (link === undefined) return null;
  const folder = resolve(cwd, link);
  return basename(dirname(folder)) === "worktrees" ? folder : null;
}

function recordsIn(commonDir: string): string[] {
  const home = join(commonDir, "worktrees");
  try {
    return readdirSync(home).map((name) => join(home, name));
  } catch {
    return [];
  }
}

function takePipes(record: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(record, name);
    const stat = look(path);
    if (stat?.isFIFO()) rmSync(path, { force: true });
    else if (stat !== null && blocks(stat)) throw new Failed({ kind: "git.blocked", path });
  }
}

function refuseAll(paths: readonly string[]): void {
  for (const path of paths) {
    const stat = look(path);
    if (stat !== null && blocks(stat)) throw new Failed({ kind: "git.blocked", path });
  }
}

/** A pipe is waited for, a device may never end; git says of everything else at once that it cannot read it. */
const blocks = (stat: Stats): boolean => stat.isFIFO() || stat.isCharacterDevice() || stat.isBlockDevice();

/** Where a link leads to: git follows most of them. Null where that cannot be told, which git will say as well. */
function look(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
