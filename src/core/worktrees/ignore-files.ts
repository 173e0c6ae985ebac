/** An ignore file in a worktree, beside what is committed there. */
export interface IgnoreFile {
  readonly path: string;
  readonly text: string;
  /** The committed text; null where there is none. */
  readonly committed: string | null;
  /** Whether anything in its folder is committed. */
  readonly besideCommitted: boolean;
}

/** The ignore file that we write into worktrees. */
type Ours = Pick<IgnoreFile, "path" | "text">;

/**
 * Whether what an ignore file hides may be lost with its worktree: it is committed like this, or ours, or lies in a folder
 * of its own that it hides as a whole, as tools write it into their caches. Any other one is somebody's in this worktree,
 * and what it alone hides counts as work.
 */
export function mayHide({ path, text, committed, besideCommitted }: IgnoreFile, ours: Ours): boolean {
  if (committed !== null && plain(text) === plain(committed)) return true;
  if (path === ours.path && text === ours.text) return true;
  return committed === null && !besideCommitted && patternsIn(text).every((pattern) => pattern === "*");
}

/** A checkout may have turned the ends of lines. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

const patternsIn = (text: string): string[] =>
  plain(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
