import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../running.ts";

export const command: Command = {
  name: "answer",
  summary: "Answer a question, or allow or deny what an agent asked for",
  args: [
    { name: "<id>", help: "The question's id, as `banksman questions` shows it." },
    { name: "<text...>", help: "The answer; for a permission `allow`, or `deny` with a reason if you like." },
  ],
  options: [JSON_OPTION],
  examples: [
    { run: 'banksman answer q3 "RS256"', does: "goes to the agent that asked" },
    { run: "banksman answer q4 deny do not touch the lock file", does: "the agent is told why" },
  ],
  async run({ args: [question = "", ...words], options }, io) {
    const answer = words.join(" ");
    const done = await actRunning<{ id: string; agent: string | null }>(io, { type: "answer", question, answer });
    if (options.json) printJson(io, done);
    else io.out(`${done.id} answered${done.agent === null ? "" : `; ${done.agent} goes on`}.\n`);
    return OK;
  },
};
