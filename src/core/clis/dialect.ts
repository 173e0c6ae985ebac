import type { AgentEvent } from "./events.ts";

/**
 * What is said to a CLI over its standard input, and what its output lines mean. It holds what one line alone does not
 * tell (what was asked, what was spent so far), and nothing of the world: the process is somebody else's.
 */
export interface Dialect {
  /** Whether it says that it is done: then an exit without that word is a failure, whatever the code. */
  readonly announces: boolean;
  /** When it can be told something: at any time, between its turns (it then rests, and waits), or never. */
  readonly listens: "always" | "between-turns" | "never";
  /** Its first words are a text, and not lines: nothing is added to them. */
  readonly plain?: true;
  /** The first lines; null for the input's end after them. */
  begin(prompt: string): readonly (string | null)[];
  hear(line: string): Heard;
  /** The line that answers a request; null when there is no such request, or no way to answer. */
  answer(request: string, allow: boolean, note: string): string | null;
  tell(text: string): string | null;
  /** The line that asks it to stop what it is at. */
  cancel(): string | null;
  /** The line that ends a pause point, with a text for it to read; null when there is no such pause point. */
  goOn?(pausePoint: string, text: string | null): string | null;
}

export interface Heard {
  readonly events: readonly AgentEvent[];
  /** What has to be said in return at once. */
  readonly reply?: string;
  /** It waits, in the middle of its turn, for us to say that it may go on: a tool is done, or it would stop now. */
  readonly pausePoint?: string;
}

export const NOTHING: Heard = { events: [] };

/** One that is only listened to: it got its prompt with its arguments, and ends by itself. */
export function streamDialect(read: (line: string) => readonly AgentEvent[]): Dialect {
  return {
    announces: true,
    listens: "never",
    begin: () => [null],
    hear: (line) => ({ events: read(line) }),
    answer: () => null,
    tell: () => null,
    cancel: () => null,
  };
}
