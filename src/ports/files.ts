/**
 * The few things we do with files outside git. Paths are absolute, names relative. Rejects with `disk.full`,
 * `file.failed` or `path.refused`.
 *
 * What lies in a repository or a worktree was put there by somebody else. It is read by `…Inside` alone: regular files of
 * bounded size, without waiting; a link may lead to another place below `root`, but neither out of it, nor into git's own
 * folder, nor to a file that holds secrets by its name. Everything else is `path.refused`.
 */
export interface Files {
  /** Old or new, never a mixture, and on disk when it resolves. Makes the folders above it. */
  write(path: string, text: string, mode: number): Promise<void>;
  /**
   * Old or new for a file below `root`, where an agent may have been: rejects where a link leads out of it. Not synced:
   * for what can be written again from the journal.
   */
  writeInside(root: string, name: string, text: string, mode: number): Promise<void>;
  /** A folder below `root`; rejects where a link leads out of it. What is ours, `.banksman`, is reached by no link at all. */
  makeInside(root: string, name: string): Promise<void>;
  /**
   * A log below `root`, ready to be appended to: its folders, and an empty file where there is none. Rejects where
   * anything but a file is in its place, or a link on the way to it.
   */
  makeLogInside(root: string, name: string): Promise<void>;
  /** A file of the user's own, or of ours. Null when there is none; one that is no regular file is refused. */
  read(path: string): Promise<string | null>;
  /** Names in a folder of the user's own, or of ours; empty when there is none. */
  list(folder: string): Promise<string[]>;
  /** A text below `root`, of 4 MB at most where nothing else is said; null when there is none. */
  readInside(root: string, name: string, mostBytes?: number): Promise<string | null>;
  /** The beginning of a file below `root`: its text (null for one that is none), its size, whether there is more. */
  peekInside(root: string, name: string, mostBytes: number): Promise<Peek | null>;
  /** Names in a folder below `root`, which an empty name stands for; empty when there is none. */
  listInside(root: string, name: string): Promise<string[]>;
  /** SHA-256 of a file below `root`, or of a part of its text; null when there is none. */
  digestInside(root: string, name: string, part?: (text: string) => string): Promise<string | null>;
  /**
   * A file or a whole folder `name` below `from` to the same name below `root`; whole or not at all. Links are copied as
   * links. Does nothing when the source is missing or the target is there. Rejects where a link above either leads out of
   * its root. Tells whether it copied.
   */
  copyInside(from: string, root: string, name: string): Promise<boolean>;
  /** A symbolic link at `name` below `root`, in the same way; nothing when its target is missing. Tells whether it linked. */
  linkInside(target: string, root: string, name: string): Promise<boolean>;
  /**
   * Blanks every token (core/text/token-words.ts) that `isToken` knows in what was appended to a file since `from`, in
   * place, while others go on appending. Answers with where it ends now; 0 when there is none. Rejects at once for what
   * is no plain file, and for a link.
   */
  blank(path: string, from: number, isToken: (word: string) => boolean): Promise<number>;
  /** Lays a file aside as `<path>.1`, over the one before it. */
  rotate(path: string): Promise<void>;
  /** Whether a program of the user's stands in a folder or below it; null where that cannot be told. */
  inUse(folder: string): Promise<boolean | null>;
  /** A file or a whole folder; nothing when it is not there. */
  remove(path: string): Promise<void>;
}

export interface Peek {
  readonly text: string | null;
  readonly bytes: number;
  readonly truncated: boolean;
}
