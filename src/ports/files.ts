/** The few things we do with files outside git. Paths are absolute. Rejects with `disk.full` or `file.failed`. */
export interface Files {
  /** Old or new, never a mixture, and on disk when it resolves. Makes the folders above it. */
  write(path: string, text: string, mode: number): Promise<void>;
  /**
   * Old or new for a file below `root`, where an agent may have been: rejects where a link leads out of it. Not synced:
   * for what can be written again from the journal.
   */
  writeInside(root: string, name: string, text: string, mode: number): Promise<void>;
  /** Null when there is none. */
  read(path: string): Promise<string | null>;
  /** Names in a folder; empty when there is none. */
  list(folder: string): Promise<string[]>;
  /** A file or a whole folder. Does nothing when the source is missing or the target is there. Tells whether it copied. */
  copy(from: string, to: string): Promise<boolean>;
  /** A symbolic link at `path` to `target`. Does nothing when the target is missing or the path taken. Tells whether it linked. */
  link(target: string, path: string): Promise<boolean>;
  /** A file or a whole folder; nothing when it is not there. */
  remove(path: string): Promise<void>;
}
