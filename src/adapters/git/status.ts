import type { GitRunner } from "./run.ts";

/** One path that differs from HEAD. */
export interface ChangedPath {
  readonly path: string;
  readonly staged: boolean;
  readonly unmerged: boolean;
  /** A submodule, or a repository of its own inside the worktree: its content is not ours to read. */
  readonly repository: boolean;
}

/** `git` has filters off. Everything in a worktree that is not committed, untracked files one by one, renames as both their names. */
export async function changedPaths(git: GitRunner, cwd: string): Promise<ChangedPath[]> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames"];
  const lines = await git.fields(args, { cwd });
  return lines.map(parseLine).filter((each) => each !== null);
}

function parseLine(line: string): ChangedPath | null {
  const kind = line[0];
  if (kind === "?") {
    const path = line.slice(2);
    return { path, staged: false, unmerged: false, repository: path.endsWith("/") };
  }
  if (kind !== "1" && kind !== "u") return null;
  const fields = line.split(" ");
  const path = fields.slice(kind === "1" ? 8 : 10).join(" ");
  const staged = kind === "1" && fields[1]?.[0] !== ".";
  return { path, staged, unmerged: kind === "u", repository: fields[2]?.[0] === "S" };
}
