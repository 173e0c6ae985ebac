import { printable } from "../../core/text/printable.ts";
import type { Need, QuestionView } from "../../core/views/snapshot.ts";
import { nameOfNeed, ofWhom, whatToDo } from "../../core/views/what-to-do.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { age } from "../show/render.ts";
import { openReader } from "../supervisor/reader.ts";

export const command: Command = {
  name: "questions",
  summary: "List everything that waits for you: questions, permission requests, dialogs, failures",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman questions", does: "lists them, with what to do about each" },
    { run: "banksman questions --json | jq -r '.[0].id'", does: "prints the id of the oldest question" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireRepository(io));
    const questions = await reader.questions().finally(() => reader.close());
    if (options.json) printJson(io, questions);
    else if (questions.length === 0) io.out("Nothing needs you.\n");
    else for (const question of questions) io.out(line(question));
    return OK;
  },
};

function line(question: Need | QuestionView): string {
  const { text, since } = question;
  const wanted = "command" in question ? question.command : undefined;
  const what = indented(wanted === undefined ? text : `may it run: ${wanted}`);
  return `${nameOfNeed(question)}${ofWhom(question, "  ")}  ${age(since, Date.now())} ago\n    ${what}\n    ${whatToDo(question)}\n`;
}

/** All of it, and none of it where another question could begin. */
const indented = (text: string): string => printable(text).split("\n").join("\n    | ");
