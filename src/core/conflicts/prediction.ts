/** What two pieces of work would make of each other if they were merged now. */
export interface Prediction {
  /** `same-file`: both changed a file and the merge is clean. `disjoint`: no file is changed by both. */
  readonly outcome: "conflict" | "same-file" | "disjoint";
  /** Files both sides changed, each in its own way. */
  readonly shared: readonly string[];
  /** Empty unless it is a conflict. */
  readonly files: readonly ConflictFile[];
}

export interface ConflictFile {
  readonly path: string;
  readonly kind: ConflictKind;
  /** Only where git merges line by line. */
  readonly hunks: readonly Hunk[];
  /** There are more hunks than these, or the file is too large to look into. */
  readonly cut?: true;
}

export type ConflictKind =
  | "content"
  | "add/add"
  | "modify/delete"
  | "rename/delete"
  | "rename/rename"
  | "rename/add"
  | "directory/file"
  | "directory rename"
  | "type"
  | "mode"
  | "binary"
  | "submodule";

export interface Hunk {
  /** Where it begins in the merged file, counted from 1, the conflicts before it taken as ours. */
  readonly line: number;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  /** Lines of it are left out or shortened. */
  readonly cut?: true;
}

/** One path that a side has made different from where it began. */
export interface Change {
  readonly path: string;
  readonly how: "added" | "changed" | "removed";
  /** Its content and mode now, as a name: the same name is the same content. */
  readonly content: string;
}
