import type { Change, Prediction } from "../core/conflicts/prediction.ts";
import type { Commit } from "../core/text/ids.ts";

/**
 * Merges that are only thought of. Nothing of the repository is written: no ref, no file, no object, no index. New
 * objects lie in a quarantine folder of ours. No program the repository's own config names is run, and nothing is
 * fetched. Rejects with the failure that fits (`git.failed` where none does): a merge that could not be tried is
 * neither clean nor a conflict.
 */
export interface Predictor {
  /** The commit a name stands for, or null. */
  commitOf(name: string): Promise<Commit | null>;
  /** A worktree as it is at this moment, uncommitted and untracked work included, as `git add --all` would take it. */
  workCommit(order: WorkCommitOrder): Promise<WorkCommit>;
  /** What each pair would make of each other, in the order asked. Commits, or presents of the store as it is now. */
  predict(order: PredictOrder): Promise<Prediction[]>;
  /** Commits or presents on top of a commit, one after the other. Who conflicts with those before is left out. */
  combine(order: CombineOrder): Promise<CombinedWork>;
  /** Folders of objects in which presents and combinations are, for whoever has to read them. */
  objects(): readonly string[];
  /** What a commit, or a present, has changed since it left the base's history, as a patch for people. */
  diff(order: DiffOrder): Promise<string>;
  /**
   * Names what presents are kept in. It is made anew when it has grown too large: those of the store before can still
   * be merged, older ones cannot. Who finds another name takes the presents again.
   */
  store(): string;
  /** Removes the quarantine. */
  close(): Promise<void>;
}

export interface WorkCommitOrder {
  readonly path: string;
  /** `changed` counts from where the work left this commit's history. */
  readonly base: Commit;
  /** Files and folders whose uncommitted content is not looked at: what was copied into the worktree. */
  readonly skip: readonly string[];
}

export interface WorkCommit {
  /** HEAD where nothing is uncommitted; otherwise a commit on top of it that only the store has. */
  readonly commit: Commit;
  /** What it stands on; null on a branch without a commit. */
  readonly head: Commit | null;
  readonly changed: readonly Change[];
  /** Uncommitted files that were not looked at: too large, too many, named like a secret, in `skip`, unreadable. */
  readonly skipped: readonly string[];
  readonly store: string;
}

export interface DiffOrder {
  readonly base: Commit;
  readonly commit: Commit;
  /** Only which files, and how many lines of each. */
  readonly stat: boolean;
  readonly colours: boolean;
}

export interface CombineOrder {
  readonly onto: Commit;
  readonly commits: readonly Commit[];
}

/** `left`: those that were left out, by their places in the order. */
export interface CombinedWork {
  readonly commit: Commit;
  readonly tree: string;
  readonly left: readonly number[];
}

export interface PredictOrder {
  readonly pairs: readonly Pair[];
  /** Whose .gitattributes count, as they do where `git merge` is run; null: those of each pair's `ours`. */
  readonly worktree: string | null;
}

export interface Pair {
  readonly ours: Commit;
  readonly theirs: Commit;
}
