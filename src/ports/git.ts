import type { Unsaved } from "../core/session/purge.ts";
import type { Branch, Commit, Instant } from "../core/text/ids.ts";
import type { Saved } from "../core/worktrees/saved.ts";

/**
 * What we need of one repository. No call runs a program that the repository's or a worktree's git config names, but
 * filters and merge drivers that its user has trusted; none switches the user's checkout. Rejects with the failure that
 * fits (`git.failed` where none does).
 */
export interface Git {
  /** Rejects with `repository.unborn` or `repository.detached`. */
  head(): Promise<{ readonly branch: Branch; readonly commit: Commit }>;
  branches(): Promise<Map<Branch, Commit>>;
  /** By short name; of several remotes `origin` wins. */
  remoteBranches(): Promise<Map<Branch, Commit>>;
  worktrees(): Promise<WorktreeInfo[]>;
  /** Programs by which the repository's own git config decides over content: filters and merge drivers. */
  programs(): Promise<readonly ContentProgram[]>;
  /** Files of the main checkout that are changed or untracked. */
  dirtyFiles(path: string): Promise<string[]>;

  /** Hides what we put into worktrees from git, beside what the user hides anyway. Nobody's ignore file is edited. */
  hide(patterns: readonly string[]): Promise<void>;

  /** Makes the branch at `from` when there is none; one that is there is left where it is. */
  ensureBranch(branch: Branch, from: Commit): Promise<void>;
  /**
   * Registers an empty worktree. One call at a time per repository: parallel ones lose on git's locks. Idempotent. Rejects
   * with `worktree.occupied` where a folder stands there, and with `worktree.strange` where that was a worktree once.
   */
  addWorktree(path: string, branch: Branch): Promise<void>;
  /**
   * Checks its files out, unless that has been done. A few at a time. Idempotent; cut short, it can be done again. Rejects
   * with `repository.filters` while a filter of the repository's own is not trusted: without it files would have other
   * content, and with it the next commit would change them all.
   */
  fillWorktree(path: string): Promise<void>;
  /** Initialises submodules, if there are any; answers with what did not work, as warnings. */
  fillSubmodules(path: string, branch: Branch): Promise<string[]>;
  /**
   * Puts the worktree's branch onto `onto` if it is clean and on no remote; its old tip is saved under `save.ref` first.
   * Conflicts leave it where it was. Answers with what was done or did not work, in sentences. Cut short, it is taken
   * back and done again.
   */
  rebase(order: RebaseOrder): Promise<string[]>;
  /** From now on a worktree of ours is its user's own. */
  releaseWorktree(path: string): Promise<void>;
  /**
   * Read from the file system alone: cheap enough for every tick. `broken` is one that `mendWorktree` can mend. It never
   * rejects for what an agent can do to its own folder.
   */
  worktreeState(path: string, branch: Branch): Promise<"absent" | "broken" | "empty" | "filled">;
  /**
   * Writes again what is missing of a worktree's link, index and branch, or was cut short by a power cut. No file with
   * content is changed. Answers with what was done, for people; rejects with `worktree.damaged` where it does not help.
   */
  mendWorktree(order: MendOrder): Promise<string[]>;
  /** Removes locks on a worktree's index, HEAD and branch that no living process holds; answers with their paths. */
  clearLocks(path: string, branch: Branch): Promise<string[]>;

  /**
   * A worktree at this moment, by one cheap look that writes nothing. With `only`, these paths and what lies below them:
   * of a large tree that is a sixth of the time.
   */
  work(path: string, only?: readonly string[]): Promise<Work>;
  /** What was committed between two looks: what `to` has and neither `from` (null: nothing) nor the base has. */
  commitsSince(from: Commit | null, to: Commit, base: Branch): Promise<Commits>;

  /** What a removal would have to save; writes nothing. Rejects as `save` does. */
  unsaved(order: UnsavedOrder): Promise<Unsaved>;
  /**
   * Makes everything in the worktree reachable from `ref`: uncommitted and untracked files byte for byte, the index,
   * the branch and HEAD. It is on disk when it resolves, and safe from a prune that runs meanwhile. A ref that exists
   * already is never overwritten: it counts as done if it holds all there is (a half-removed worktree has less), and
   * otherwise another name is taken; the answer says which. `ref` is null when there was nothing that is not held anyway.
   * What git cannot list is saved file by file. Rejects with `worktree.stays` where the worktree holds what cannot be
   * saved, or cannot be read: see `judgeRemoval`.
   */
  save(order: SaveOrder): Promise<Saved>;
  /**
   * Idempotent; half removed, it is finished. Rejects with `worktree.changed` where it holds something `saved` does not,
   * with `worktree.stays` as `save` does, and with `worktree.undeletable` where files are left. Null only for a worktree
   * that holds nothing but what a checkout that was cut short has written.
   */
  removeWorktree(path: string, saved: Saved | null): Promise<void>;
  /** Only where it still points at `at`; rejects with `branch.moved`. A branch that is gone counts as done. */
  deleteBranch(branch: Branch, at: Commit): Promise<void>;

  backups(): Promise<Backups>;
  /**
   * Makes the branch and a worktree at `path` as they were saved, byte for byte. Rejects with `worktree.in-use` or
   * `backup.branch-moved` before anything is made. The backup stays, and the worktree is its user's own. Cut short, it
   * goes on where it was when it is asked for again.
   */
  restore(order: RestoreOrder): Promise<void>;
}

export interface Work {
  /** Null on a branch without a commit. */
  readonly head: Commit | null;
  /** Null where HEAD is at a commit: in a rebase, for one. */
  readonly branch: Branch | null;
  /**
   * What differs from HEAD, in the order of names: untracked files one by one, a rename as both its names. Each with
   * what it is now, which is another text once it has changed.
   */
  readonly files: ReadonlyMap<string, string>;
  /** How many more there are than can be named. */
  readonly more: number;
  /** Files and folders git does not look at, the folders with a slash at their end; with `only`, of these paths. */
  readonly ignored: readonly string[];
  /** Where its HEAD and index are. */
  readonly gitFolder: string | null;
}

export interface Commits {
  readonly count: number;
  readonly files: readonly string[];
  /** `from` is no longer part of it: a rebase, an amend, a reset. */
  readonly anew: boolean;
}

export interface ContentProgram {
  /** As git writes it: `filter.git-crypt.clean`. */
  readonly key: string;
  readonly value: string;
  /** Only then does it run. */
  readonly trusted: boolean;
}

export interface WorktreeInfo {
  readonly path: string;
  readonly branch: Branch | null;
  readonly main: boolean;
  /** Registered, but its folder is gone. */
  readonly missing: boolean;
  /** Its folder is there, and its `.git` does not lead to the repository any more. */
  readonly broken: boolean;
  /** Made by us for a run, and not released since. */
  readonly ours: boolean;
}

export interface RebaseOrder {
  readonly path: string;
  readonly branch: Branch;
  readonly onto: Branch;
  readonly save: Pick<SaveOrder, "ref" | "at">;
}

export interface UnsavedOrder {
  readonly path: string;
  /** Null where it is on none. */
  readonly branch: Branch | null;
  /** The branch its work is merged into; null where that is not known. */
  readonly base: Branch | null;
  /** The branch is not removed with the worktree: what it holds need not be saved. */
  readonly branchStays: boolean;
}

export interface SaveOrder extends UnsavedOrder {
  /** A ref is made even if everything is held anyway. */
  readonly always?: boolean;
  readonly ref: string;
  readonly at: Instant;
}

export interface MendOrder {
  readonly path: string;
  readonly branch: Branch;
  /** Where the branch began if it is ours. */
  readonly from: Commit | null;
  /** Somebody has worked there: its files are not checked out again. */
  readonly used: boolean;
}

export interface Backups {
  /** Newest first. */
  readonly found: readonly Backup[];
  /** Refs among the backups that lead nowhere, or to what cannot be read. */
  readonly unreadable: readonly string[];
}

export interface Backup {
  readonly ref: string;
  readonly branch: Branch;
  readonly worktree: string;
  readonly at: Instant;
  readonly files: number;
  readonly commits: number;
}

export interface RestoreOrder {
  readonly ref: string;
  readonly path: string;
  readonly branch: Branch;
  /** Hears how many files are laid, of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}
