import type { KnownChange } from "../core/gates/changed-files.ts";
import type { Commit } from "../core/text/ids.ts";

/**
 * Commits and what is in them, by their ids. Nothing is written, nothing is run, nothing is fetched. Rejects with the
 * failure that fits (`git.failed` where none does).
 */
export interface History {
  /** The commit a name stands for, or null. A branch comes before a tag. */
  commitOf(name: string): Promise<Commit | null>;
  treeOf(commit: Commit): Promise<string>;
  /** Whether everything in `commit` is in `other`, too. */
  isContained(commit: Commit, other: Commit): Promise<boolean>;
  /** Where two histories part; null where they have nothing in common. */
  mergeBase(one: Commit, other: Commit): Promise<Commit | null>;
  /** Parents by commit, of everything that these have and `not` has not; bounded. */
  graph(tips: readonly Commit[], not: Commit): Promise<ReadonlyMap<Commit, readonly Commit[]>>;
  /** All that is not the same from one commit to the other; renamed files as such. */
  changes(from: Commit, to: Commit): Promise<readonly KnownChange[]>;
  /** What git calls the content of files and folders at a commit; what is not there is missing in the answer. `objects`: further folders of them. */
  ids(commit: Commit, paths: readonly string[], objects?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Texts of files at a commit; a file that is missing, is a link or no text, or is too large is missing in the answer. */
  texts(commit: Commit, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The paths of all files at a commit. */
  paths(commit: Commit): Promise<readonly string[]>;
  /** Lines that are added and taken away in these paths from one commit to the other; bounded. */
  lines(from: Commit, to: Commit, paths: readonly string[]): Promise<readonly LineChanges[]>;
}

export interface LineChanges {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
