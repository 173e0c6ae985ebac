import type { AtPane } from "../messages/phase.ts";
import type { Screen } from "../screens/screen.ts";
import { onOneLine } from "../text/printable.ts";

/** Where an agent stands and cannot go on without a person at its pane: no key of ours is ever an answer there. */
export interface NeedsPerson {
  readonly at: AtPane;
  /** What it stands at, and what to do. */
  readonly text: string;
  /** Of a shell: nothing of ours was ever typed there. */
  readonly untouched?: boolean;
}

/** What a screen shows that only a person can settle; null where there is nothing of the kind. */
export function needsPersonOn(cli: string, { state, box, prompt, evidence }: Screen): NeedsPerson | null {
  const shown = onOneLine(evidence).slice(0, 200);
  if (state === "trust")
    return { at: "trust", text: `${cli} asks whether to trust this folder: attach and answer, or trust it beforehand` };
  if (state === "login")
    return { at: "login", text: `${cli} wants a login or a key: attach and give it, or log in beforehand (${shown})` };
  if (state === "error" && box === null)
    return { at: "error", text: `${cli} cannot continue: attach and look (${shown})` };
  if (state === "waiting" && (prompt === null || prompt.allow === null || prompt.deny === null))
    return { at: "prompt", text: `${cli} asks something that can only be answered in its pane: attach (${shown})` };
  return null;
}

/** Its program has ended, and what started it has left a shell. */
export const needsPersonAtShell = (cli: string, untouched: boolean): NeedsPerson => ({
  at: "shell",
  untouched,
  text: `${cli} has ended and left a bare shell: attach and look, or \`banksman stop\` and \`banksman start\``,
});
