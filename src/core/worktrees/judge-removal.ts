/**
 * What was observed of a worktree that is to be removed. Null stands for what could not be told: it never counts as
 * "no" and never as "nothing".
 */
export interface WorktreeFacts {
  /** What stands at its path; `other` is anything but a folder. */
  readonly place: "nothing" | "folder" | "other";
  readonly dotGit: DotGit;
  /** Whether anything but `.git` is in the folder. */
  readonly hasFiles: boolean;
  /** Whether git's record of it has an index, which may hold staged content that is nowhere on disk. */
  readonly hasIndex: boolean;
  /** Paths that differ from HEAD; null where git cannot list them. */
  readonly changed: number | null;
  /** Commits that nothing would hold any more; null where the history cannot be read. */
  readonly commits: number | null;
  readonly repositories: readonly RepositoryInside[];
  /** Folders that could not be looked into. */
  readonly unreadable: readonly string[];
}

/**
 * What `.git` in a worktree is. `link` leads to git's record of this very worktree. `empty` is a file without content,
 * as a power cut leaves it; `elsewhere` leads to another repository; `other-file` is any other file; `special` a pipe,
 * a socket, a device or a symbolic link.
 */
export type DotGit = "link" | "absent" | "empty" | "elsewhere" | "other-file" | "special" | "folder" | "unreadable";

/** A repository inside of a worktree: a submodule, a clone, a linked worktree of any repository. */
export interface RepositoryInside {
  readonly path: string;
  /** Whether it holds no uncommitted file. */
  readonly clean: boolean | null;
  /** Whether it holds a commit that would be gone with it. */
  readonly ownCommits: boolean | null;
}

/** What has to be saved before a worktree may go, or why it has to stay. */
export type RemovalVerdict =
  | { readonly goes: true; readonly save: "nothing" | "commits" | "as-git-tells" | "plain-files" }
  | { readonly goes: false; readonly why: StayReason; readonly what: readonly string[] };

/** `history`: the commits it holds cannot be read. */
export type StayReason = "no-folder" | "own-repository" | "unreadable" | "repositories" | "history";

/**
 * Whether a worktree may be removed. Everything that removes one asks this. It goes only with positive proof that nothing
 * is lost: what git can list is saved as git tells, what it cannot list is saved file by file, and what neither can hold
 * keeps the worktree where it is.
 */
export function judgeRemoval(facts: WorktreeFacts): RemovalVerdict {
  const { place, dotGit, hasFiles, hasIndex, changed, commits, repositories, unreadable } = facts;
  if (place === "other") return stays("no-folder");
  if (dotGit === "folder") return stays("own-repository");
  if (dotGit === "unreadable") return stays("unreadable", [".git"]);
  if (unreadable.length > 0) return stays("unreadable", unreadable);
  const unproven = repositories.filter((each) => each.clean !== true || each.ownCommits !== false);
  if (unproven.length > 0)
    return stays(
      "repositories",
      unproven.map(({ path }) => path),
    );
  if (commits === null) return stays("history");
  const isEmpty = place === "nothing" || (!hasFiles && !hasContent(dotGit));
  // An index that nobody can read, with no file beside it, holds nothing that could be saved.
  if (isEmpty && (!hasIndex || changed === null)) return { goes: true, save: commits > 0 ? "commits" : "nothing" };
  if (changed === null) return { goes: true, save: "plain-files" };
  return { goes: true, save: changed > 0 || commits > 0 || hasContent(dotGit) ? "as-git-tells" : "nothing" };
}

/** A file at this place holds bytes that somebody wrote; one that only leads somewhere does not. */
export const hasContent = (dotGit: DotGit): boolean => dotGit === "other-file";

const stays = (why: StayReason, what: readonly string[] = []): RemovalVerdict => ({ goes: false, why, what });
