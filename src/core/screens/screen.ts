/** What a pane shows, as far as it can be told from its text. Unknown is never ready. */
export interface Screen {
  readonly state: ScreenState;
  /** What stands in the input box: "" when it is empty, a hint being nothing; null where there is none to be seen. */
  readonly box: string | null;
  readonly prompt: ScreenPrompt | null;
  /** The line that decided. */
  readonly evidence: string;
}

export const SCREEN_STATES = [
  /** At its prompt, with nothing behind it. */
  "ready",
  "working",
  /** It asks something. */
  "waiting",
  /** It asks whether to trust this folder, or a mode that asks nothing. */
  "trust",
  /** It wants an account, a key, or its first set-up. */
  "login",
  /** Its last turn failed; or, without a box, it cannot go on. */
  "error",
  "shell",
  /** At its prompt after a turn. */
  "done",
  "unknown",
] as const;
export type ScreenState = (typeof SCREEN_STATES)[number];

/** A question the program asks on its screen, with the keys for each answer. */
export interface ScreenPrompt {
  /** The same while the same question stands there, another for another one. */
  readonly request: string;
  readonly kind: "command" | "edit" | "fetch" | "mcp" | "other";
  /** For a person: what is asked, as far as it can be seen. */
  readonly text: string;
  readonly command?: string;
  readonly path?: string;
  readonly options: readonly ScreenOption[];
  /** False where the screen may not show all of it, or not as it is: then nothing may be approved from it by code. */
  readonly complete: boolean;
  /**
   * The keys that allow it once, and that refuse it, named as tmux names them, with blanks between: each is pressed
   * after another look. Null where there is none that is sure to mean that, and never one that grants more.
   */
  readonly allow: string | null;
  readonly deny: string | null;
}

export interface ScreenOption {
  readonly key: string;
  readonly text: string;
  readonly grants: "once" | "always" | "no" | "other";
}

/** At its prompt with an empty box: what is pasted now is a prompt of its own. */
export const isListening = ({ state, box }: Screen): boolean =>
  box === "" && (state === "ready" || state === "done" || state === "error");
