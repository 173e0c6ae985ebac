import type { Stats } from "node:fs";
import { hashFiles } from "./blobs.ts";
import { type ByteName, lookAt, throughLink } from "./bytes.ts";
import { gitlinksIn, touchedGitlinks } from "./nested.ts";
import type { GitRunner, WorktreeCall } from "./run.ts";

/** One path that differs from HEAD. */
export interface ChangedPath {
  readonly path: ByteName;
  readonly staged: boolean;
  readonly unmerged: boolean;
  /** A submodule, or a repository of its own inside the worktree: its content is not ours to read. */
  readonly repository: boolean;
}

/**
 * Everything in a worktree that is not committed, each path once: untracked files one by one, renames as both their
 * names, and what git was told not to look at (`assume-unchanged`, `skip-worktree`). `ignored` leaves out
 * the repositories inside: whoever asks looks at them one by one.
 */
export async function changedPaths(
  git: GitRunner,
  call: WorktreeCall,
  repositories: "looked-at" | "ignored" = "looked-at",
): Promise<ChangedPath[]> {
  const ignore = `--ignore-submodules=${repositories === "ignored" ? "all" : "dirty"}`;
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", ignore, "--no-renames"];
  const lines = await git.names(args, call);
  const found = lines.map(parseLine).filter((each) => each !== null);
  const entries = await git.names(["ls-files", "-v", "--stage", "-z"], call);
  const links = repositories === "ignored" ? [] : gitlinksIn(entries);
  const inside = (await touchedGitlinks(git, call.cwd, links)).map(
    (path): ChangedPath => ({ path, staged: false, unmerged: false, repository: true }),
  );
  const byPath = new Map<ByteName, ChangedPath>();
  for (const each of [...(await unwatched(git, call, entries)), ...inside, ...found]) {
    const { staged = false, unmerged = false, repository = false } = byPath.get(each.path) ?? {};
    byPath.set(each.path, {
      path: each.path,
      staged: staged || each.staged,
      unmerged: unmerged || each.unmerged,
      repository: repository || each.repository,
    });
  }
  return [...byPath.values()];
}

/** One line of `status --porcelain=v2`; null for what is no changed path. */
export function parseLine(line: string): ChangedPath | null {
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

/** Tags of `ls-files -v`: lower case is assume-unchanged, S is skip-worktree. */
const UNWATCHED = /^([a-z]|S) (100644|100755|120000) ([0-9a-f]+) \d\t/;

async function unwatched(git: GitRunner, call: WorktreeCall, entries: readonly ByteName[]): Promise<ChangedPath[]> {
  const { cwd } = call;
  const marked = entries.flatMap((line) => {
    const [head = "", , , blob = ""] = UNWATCHED.exec(line) ?? [];
    const stat = blob === "" ? null : fileAt(cwd, line.slice(head.length));
    return stat === null ? [] : [{ name: line.slice(head.length), blob, stat }];
  });
  const blobs = await hashFiles(git, call, marked);
  return marked
    .filter(({ blob }, i) => blobs[i] !== blob)
    .map(({ name }) => ({ path: name, staged: false, unmerged: false, repository: false }));
}

/** A file or a link of the worktree itself; null for everything else, which git does not keep. */
export function fileAt(root: string, name: ByteName): Stats | null {
  const stat = lookAt(root, name);
  const kept = stat !== null && (stat.isFile() || stat.isSymbolicLink());
  return kept && !throughLink(root, name) ? stat : null;
}
