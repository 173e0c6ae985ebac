import type { Saved } from "../core/effects.ts";
import type { Branch, Commit, Instant } from "../core/ids.ts";
import type { Unsaved } from "../core/purge.ts";

/**
 * What we need of one repository. No call runs a hook, a filter of the repository's own config, a pager or an
 * fsmonitor; none switches the user's checkout. Rejects with the failure that fits (`git.failed` where none does).
 */
export interface Git {
  /** Rejects with `repository.unborn` or `repository.detached`. */
  head(): Promise<{ readonly branch: Branch; readonly commit: Commit }>;
  branches(): Promise<Map<Branch, Commit>>;
  /** By short name; of several remotes `origin` wins. */
  remoteBranches(): Promise<Map<Branch, Commit>>;
  worktrees(): Promise<WorktreeInfo[]>;
  /** Files of the main checkout that are changed or untracked. */
  dirtyFiles(path: string): Promise<string[]>;

  /** Hides what we put into worktrees from git, beside what the user hides anyway. Nobody's ignore file is edited. */
  hide(patterns: readonly string[]): Promise<void>;

  /** Makes the branch at `from` when there is none; one that is there is left where it is. */
  ensureBranch(branch: Branch, from: Commit): Promise<void>;
  /** Registers an empty worktree. One call at a time per repository: parallel ones lose on git's locks. Idempotent. */
  addWorktree(path: string, branch: Branch): Promise<void>;
  /** Checks its files out, unless that has been done. A few at a time. Idempotent; cut short, it can be done again. */
  fillWorktree(path: string): Promise<void>;
  /** Initialises submodules, if there are any; answers with what did not work, as warnings. */
  fillSubmodules(path: string, branch: Branch): Promise<string[]>;
  /**
   * Puts the worktree's branch onto `onto` if it is clean and on no remote. Conflicts leave it where it was. Answers
   * with what did not work, as warnings. Cut short, it is taken back and done again.
   */
  rebase(path: string, branch: Branch, onto: Branch): Promise<string[]>;
  /** From now on a worktree of ours is its user's own. */
  releaseWorktree(path: string): Promise<void>;
  /** Read from the file system alone: cheap enough for every tick. */
  worktreeState(path: string): Promise<"absent" | "empty" | "filled">;

  /**
   * A worktree at this moment, by one cheap look that writes nothing. With `only`, these paths and what lies below them:
   * of a large tree that is a sixth of the time.
   */
  work(path: string, only?: readonly string[]): Promise<Work>;
  /** What was committed between two looks: what `to` has and neither `from` (null: nothing) nor the base has. */
  commitsSince(from: Commit | null, to: Commit, base: Branch): Promise<Commits>;

  /** What the worktree and the branch hold that `base` and the remotes do not. */
  unsaved(path: string, branch: Branch, base: Branch): Promise<Unsaved>;
  /**
   * Makes everything in the worktree reachable from `ref`: uncommitted and untracked files byte for byte, the index,
   * the branch and HEAD. A ref that exists already is never overwritten: it counts as done if it holds all there is (a
   * half-removed worktree has less), and otherwise another name is taken; the answer says which. `ref` is null when
   * there was nothing to save. Rejects with `worktree.submodules` where a repository inside holds what we cannot save.
   */
  save(order: SaveOrder): Promise<Saved>;
  /**
   * Idempotent; half removed, it is finished. Rejects with `worktree.changed` where it holds something `saved` does not;
   * null only for a worktree in which nobody has ever worked.
   */
  removeWorktree(path: string, saved: Saved | null): Promise<void>;
  /** Only where it still points at `at`; rejects with `branch.moved`. A branch that is gone counts as done. */
  deleteBranch(branch: Branch, at: Commit): Promise<void>;

  /** Newest first. */
  backups(): Promise<Backup[]>;
  /**
   * Makes the branch and a worktree at `path` as they were saved, byte for byte. Rejects with `worktree.in-use` or
   * `backup.branch-moved` before anything is made. The backup stays, and the worktree is its user's own.
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

export interface WorktreeInfo {
  readonly path: string;
  readonly branch: Branch | null;
  readonly main: boolean;
  /** Registered, but its folder is gone. */
  readonly missing: boolean;
  /** Made by us for a run, and not released since. */
  readonly ours: boolean;
}

export interface SaveOrder {
  readonly path: string;
  readonly branch: Branch;
  /** Where the branch began if it is ours: with no commit since and nothing changed there is nothing to save. */
  readonly from: Commit | null;
  readonly ref: string;
  readonly at: Instant;
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
}
