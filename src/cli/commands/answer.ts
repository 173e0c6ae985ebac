import { Failed } from "../../core/failure/failed.ts";
import type { Answered } from "../../modes/session/talk.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { connectToAnswer } from "../landing/connect-to-answer.ts";
import { requireRepository } from "../repository.ts";
import { sayAnswered } from "../show/say-answered.ts";
import { act } from "../supervisor/connect.ts";

export const command: Command = {
  name: "answer",
  summary: "Answer agents' questions, or allow or deny permission requests",
  args: [
    { name: "<id>", help: "The question's id; `banksman questions` lists them. Several ids get the same answer." },
    { name: "<text...>", help: "The answer. For a permission request: `allow`, or `deny` with an optional reason." },
  ],
  options: [
    {
      flags: "--session",
      help: "With allow: also allow exactly this command to every agent, until the session is purged.",
    },
    JSON_OPTION,
  ],
  examples: [
    { run: 'banksman answer q3 "RS256"', does: "sends the answer to the agent that asked" },
    { run: "banksman answer q4 deny do not touch the lock file", does: "denies the request, and tells the agent why" },
    { run: "banksman answer q5 q6 q7 allow", does: "allows three requests" },
    {
      run: "banksman answer q8 allow --session",
      does: "allows it now and whenever an agent asks for the same command",
    },
  ],
  async run({ args, options }, io) {
    const { ids, answer } = readAnswer(args);
    const connection = await connectToAnswer(await requireRepository(io), ids);
    const all: Answered[] = [];
    for (const question of ids) {
      const done = await act<Answered>(connection, {
        type: "answer",
        question,
        answer,
        session: options.session === true,
      });
      all.push(done);
      if (!options.json) io.out(`${sayAnswered(done)}\n`);
    }
    if (options.json) printJson(io, all.length === 1 ? all[0] : all);
    return OK;
  },
};

/** All words up to the first that is no question's id; the rest is the answer. */
function readAnswer(words: readonly string[]): { ids: string[]; answer: string } {
  const isId = (word: string) => /^q\d+(,q\d+)*,?$/.test(word);
  const others = words.findIndex((word, i) => i > 0 && !isId(word));
  const end = others < 0 ? words.length : others;
  const answer = words.slice(end).join(" ");
  if (answer === "")
    throw new Failed({
      kind: "usage",
      message: "The answer is missing.",
      hint: 'For example `banksman answer q3 "RS256"`, or `banksman answer q4 allow`.',
    });
  return { ids: words.slice(0, end).flatMap((word) => word.split(",").filter(Boolean)), answer };
}
