import { printable } from "../../core/printable.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";
import { age } from "../render.ts";

export const command: Command = {
  name: "questions",
  summary: "What waits for a person",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman questions", does: "open questions and permission requests" },
    { run: "banksman questions --json | jq -r '.[0].id'", does: "the oldest one's id" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireHere(io));
    const questions = await reader.questions();
    await reader.close();
    if (options.json) printJson(io, questions);
    else if (questions.length === 0) io.out("Nothing needs you.\n");
    else for (const question of questions) io.out(line(question));
    return OK;
  },
};

function line(question: Record<string, unknown>): string {
  const { id, agent, text, command: wanted, since } = question as Record<string, string | undefined>;
  const what = indented(wanted === undefined ? (text ?? "") : `may it run: ${wanted}`);
  const how = wanted === undefined ? `banksman answer ${id} "…"` : `banksman answer ${id} allow   (or deny)`;
  return `${id}  ${agent ?? ""}  ${age(since ?? "", Date.now())} ago\n    ${what}\n    ${how}\n`;
}

/** All of it, and none of it where another question could begin. */
const indented = (text: string): string => printable(text).split("\n").join("\n    | ");
