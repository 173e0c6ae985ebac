import { onOneLine } from "../text/printable.ts";
import type { Need, QuestionView } from "./snapshot.ts";

/** What it is called: by the id that `answer` takes; what is no question has an id for programs only. */
export const nameOfNeed = ({ id, kind }: Need | QuestionView): string => (id.includes(":") ? kind : id);

/** Whose it is, to stand behind a word; nothing for what concerns no single agent. */
export const ofWhom = ({ agent }: Need | QuestionView, space = " "): string =>
  agent === undefined ? "" : `${space}${agent}`;

/** What it says, on one line; of what a command settles by itself, with the command. */
export const needInWords = ({ kind, text }: Need | QuestionView): string =>
  kind === "failed" ? `${onOneLine(text)} (\`banksman start\` tries again)` : onOneLine(text);

/** The command that settles what needs a person. */
export function whatToDo(need: Need | QuestionView): string {
  const { id, kind, agent } = need;
  const [first, ...others] = need.options ?? [];
  switch (kind) {
    case "approval":
      return `banksman answer ${id} allow   (or deny, with a reason if you like)`;
    case "failed":
    case "stuck":
      return `banksman replay ${agent} shows what happened; banksman start tries again`;
    case "trust":
    case "login":
    case "error":
    case "prompt":
    case "shell":
    case "unheard":
      return `banksman attach, then look at the pane of ${agent}`;
    case "gate":
    case "decision":
      if (first !== undefined)
        return `banksman answer ${id} ${first}${others.map((each) => `   (or ${each})`).join("")}`;
      return `banksman answer ${id} "…"`;
    default:
      return `banksman answer ${id} "…"`;
  }
}
