import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../running.ts";

export const command: Command = {
  name: "tell",
  summary: "Say something to an agent",
  args: [
    { name: "<agent>", help: "Its id or its branch." },
    { name: "<text...>", help: "What it should know or do." },
  ],
  options: [JSON_OPTION],
  examples: [
    { run: 'banksman tell feat-auth "use bcrypt"', does: "a directive into its inbox; it is woken if it listens" },
    { run: "banksman inbox feat-auth", does: "see afterwards whether it has arrived" },
  ],
  async run({ args: [agent = "", ...words], options }, io) {
    const told = await actRunning<{ agent: string; seq: number }>(io, { type: "tell", agent, text: words.join(" ") });
    if (options.json) printJson(io, told);
    else
      io.out(`Told ${told.agent} (message ${told.seq}). \`banksman inbox ${told.agent}\` shows when it has seen it.\n`);
    return OK;
  },
};
