/** One word of a command, as far as it can be known before a shell runs it. */
export interface Argument {
  /** What the program gets, with `HOLE` for what cannot be known. */
  readonly text: string;
  /** A pattern that the shell replaces by names of files. */
  readonly pattern: boolean;
  /** Whether a hole can become several words, or none. */
  readonly splits: boolean;
}

/** Not in any command that is judged: one with a NUL is refused before. */
export const HOLE = "\0";

export const literal = (text: string): Argument => ({ text, pattern: false, splits: false });

/** Whether `text` is exactly what the program gets. */
export const isKnown = ({ text, pattern }: Argument): boolean => !pattern && !text.includes(HOLE);

/** Whether the program could take it for an option. */
export const couldBeOption = ({ text, pattern, splits }: Argument): boolean =>
  splits || text.startsWith("-") || text.startsWith(HOLE) || (pattern && /^[*?[]/.test(text));
