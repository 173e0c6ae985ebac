import { lstatSync } from "node:fs";
import { MOST_FILES } from "../../core/messages/message-reader.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { Commits, Work } from "../../ports/git.ts";
import { gitFolderOf } from "./admin.ts";
import { type ByteName, onDisk, readable } from "./bytes.ts";
import { resolveCommit } from "./objects.ts";
import type { GitRunner } from "./run.ts";
import { parseLine } from "./status.ts";

const STATUS = [
  "status",
  "--porcelain=v2",
  "--branch",
  "--no-ahead-behind",
  "-z",
  "--untracked-files=all",
  "--ignored=matching",
  "--ignore-submodules=dirty",
  "--no-renames",
];

/** One look, by one process. */
export async function readWork(
  git: GitRunner,
  commonDir: string,
  cwd: string,
  only: readonly string[] | null,
): Promise<Work> {
  const lines = await (only === null
    ? git.names(STATUS, { cwd })
    : git.names([...STATUS, "--", ...only], { cwd, env: { GIT_LITERAL_PATHSPECS: "1" } }));
  const header = (name: string) => lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(10 + name.length);
  const [oid, branch] = [header("oid"), header("head")];
  const pathsOf = (some: readonly string[]) => some.flatMap((line) => parseLine(line)?.path ?? []).sort();
  // Cut at the end: a dependency folder that nobody ignores must not hide what is edited.
  const isNew = (line: string) => line.startsWith("? ");
  const names = [...pathsOf(lines.filter((line) => !isNew(line))), ...pathsOf(lines.filter(isNew))];
  const kept = names.slice(0, MOST_FILES).sort();
  return {
    head: oid === undefined || oid === "(initial)" ? null : (oid as Commit),
    branch: branch === undefined || branch === "(detached)" ? null : (readable(branch) as Branch),
    files: new Map(kept.map((name) => [readable(name.replace(/\/$/, "")), stateOf(cwd, name)])),
    more: names.length - kept.length,
    ignored: lines.flatMap((line) => (line.startsWith("! ") ? [readable(line.slice(2))] : [])),
    gitFolder: gitFolderOf(commonDir, cwd),
  };
}

/** By size and time, not by reading: git does not read a file it has seen, either. */
function stateOf(root: string, name: ByteName): string {
  try {
    const { size, mtimeNs, ino, mode } = lstatSync(onDisk(root, name), { bigint: true });
    return `${size} ${mtimeNs} ${ino} ${mode}`;
  } catch {
    return "";
  }
}

/**
 * Only what the commits themselves changed: after a rebase or a merge, of the base or of another agent's branch, what came
 * from there is not this one's news. A merge counts with what was decided in it.
 */
export async function readCommits(git: GitRunner, from: Commit | null, to: Commit, base: Branch): Promise<Commits> {
  const known = await Promise.all([from ?? "", `refs/heads/${base}`].map((name) => resolveCommit(git, name)));
  const not = known.flatMap((commit) => (commit === null ? [] : [`^${commit}`]));
  const count = Number(await git.text(["rev-list", "--count", "--first-parent", to, ...not]));
  if (count === 0) return { count, files: [], anew: false };
  const left = known[0] === null ? "0" : await git.text(["rev-list", "--count", known[0] as Commit, `^${to}`]);
  const args = [
    "log",
    "-z",
    "--format=",
    "--name-only",
    "--first-parent",
    "--no-renames",
    "--diff-merges=dense-combined",
    "--no-ext-diff",
  ];
  const names = await git.names([...args, to, ...not]);
  const files = [...new Set(names.map((name) => readable(name.replace(/^\n/, ""))).filter((name) => name !== ""))];
  return { count, files: files.sort().slice(0, MOST_FILES), anew: left !== "0" };
}
