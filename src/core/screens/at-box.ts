import type { Screen } from "./screen.ts";

/** What a reader found around an input box, each as the line that says so. */
export interface Around {
  readonly working?: string | undefined;
  readonly login?: string | undefined;
  readonly after: After | null;
  readonly ready: string;
}

/** How the last turn ended, as far as that can be told. */
export type After = readonly [state: "done" | "error", evidence: string];

/** A program at its input box. With something typed already the last turn is history. */
export function atBox(box: string, { working, login, after, ready }: Around): Screen {
  const say = (state: Screen["state"], evidence: string): Screen => ({
    state,
    box,
    prompt: null,
    evidence: evidence.trim(),
  });
  if (working !== undefined) return say("working", working);
  if (login !== undefined) return say("login", login);
  return after !== null && box === "" ? say(...after) : say("ready", ready);
}
