import { toJson } from "../core/text/printable.ts";

/** One command of the program: what `--help` and the reference page say of it, and what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments in commander's notation: `<agent>`, `[agents...]`. */
  readonly args?: readonly { readonly name: string; readonly help: string }[];
  readonly options?: readonly { readonly flags: string; readonly help: string }[];
  /** At least two, real ones. */
  readonly examples: readonly { readonly run: string; readonly does: string }[];
  /** Set where Ctrl-C is the command's own affair; elsewhere it ends the command with exit code 2. */
  readonly ownSignals?: true;
  /** What Ctrl-C does not stop, in a sentence. */
  readonly whenInterrupted?: string;
  run(input: Input, io: Io): Promise<number>;
}

export interface Input {
  /** Positional arguments, variadic ones flattened. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** The terminal and the process around a command. */
export interface Io {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly terminal: boolean;
  /** Rings the terminal's bell; silent where there is none. `out` lets no control character through. */
  ring(): void;
  out(text: string): void;
  err(text: string): void;
}

export const OK = 0;
export const ERROR = 1;
export const CANCELLED = 2;
export const TAKEN = 3;

export const JSON_OPTION = { flags: "--json", help: "Print the result as JSON." };

export const printJson = (io: Io, value: unknown): void => io.out(`${toJson(value, 2)}\n`);
