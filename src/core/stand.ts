import { onOneLine } from "./printable.ts";
import type { Screen } from "./screen.ts";

/** Where an agent stands and cannot go on without a person at its pane: no key of ours is ever an answer there. */
export interface Stand {
  readonly at: "trust" | "login" | "error" | "prompt" | "shell";
  /** What it stands at, and what to do. */
  readonly text: string;
  /** Of a shell: nothing of ours was ever typed there. */
  readonly untouched?: boolean;
}

/** What a screen shows that only a person can settle; null where there is nothing of the kind. */
export function standOf(cli: string, { state, box, prompt, evidence }: Screen): Stand | null {
  const shown = onOneLine(evidence).slice(0, 200);
  if (state === "trust")
    return { at: "trust", text: `${cli} asks whether to trust this folder: attach and answer, or trust it beforehand` };
  if (state === "login")
    return { at: "login", text: `${cli} wants a login or a key: attach and give it, or log in beforehand (${shown})` };
  if (state === "error" && box === null)
    return { at: "error", text: `${cli} cannot go on: attach and look (${shown})` };
  if (state === "waiting" && (prompt === null || prompt.allow === null || prompt.deny === null))
    return { at: "prompt", text: `${cli} asks something that can only be answered in its pane: attach (${shown})` };
  return null;
}

/** Its program has ended, and what started it has left a shell. */
export const shellStand = (cli: string, untouched: boolean): Stand => ({
  at: "shell",
  untouched,
  text: `${cli} has ended and left a bare shell: attach and look, or \`banksman stop\` and \`banksman start\``,
});

export const isStand = (phase: string | null): phase is Stand["at"] =>
  phase === "trust" || phase === "login" || phase === "error" || phase === "prompt" || phase === "shell";
