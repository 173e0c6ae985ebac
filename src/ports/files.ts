/** The few things we do with files outside git. Paths are absolute. Rejects with `disk.full` or `file.failed`. */
export interface Files {
  /** Old or new, never a mixture, and on disk when it resolves. Makes the folders above it. */
  write(path: string, text: string, mode: number): Promise<void>;
  /**
   * Old or new for a file below `root`, where an agent may have been: rejects where a link leads out of it. Not synced:
   * for what can be written again from the journal.
   */
  writeInside(root: string, name: string, text: string, mode: number): Promise<void>;
  /** A folder below `root`; rejects where a link leads out of it. */
  makeInside(root: string, name: string): Promise<void>;
  /** Null when there is none. */
  read(path: string): Promise<string | null>;
  /** Names in a folder; empty when there is none. */
  list(folder: string): Promise<string[]>;
  /**
   * A file or a whole folder to `name` below `root`; whole or not at all. Does nothing when the source is missing or the
   * target is there. Rejects where a link above the target leads out of `root`. Tells whether it copied.
   */
  copyInside(from: string, root: string, name: string): Promise<boolean>;
  /** A symbolic link at `name` below `root`, in the same way; nothing when its target is missing. Tells whether it linked. */
  linkInside(target: string, root: string, name: string): Promise<boolean>;
  /**
   * Blanks every word of 32 letters that `isSecret` knows in what was appended to a file since `from`, in place, while
   * others go on appending. Answers with where it ends now; 0 when there is none.
   */
  blank(path: string, from: number, isSecret: (word: string) => boolean): Promise<number>;
  /** Lays a file aside as `<path>.1`, over the one before it. */
  rotate(path: string): Promise<void>;
  /** Whether a program of the user's stands in a folder or below it; null where that cannot be told. */
  inUse(folder: string): Promise<boolean | null>;
  /** A file or a whole folder; nothing when it is not there. */
  remove(path: string): Promise<void>;
}
