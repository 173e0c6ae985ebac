import { type Hears, sayWhenHears } from "../../core/agents/when-hears.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../supervisor/act-running.ts";

export const command: Command = {
  name: "tell",
  summary: "Send a message to an agent",
  args: [
    { name: "<agent>", help: "The agent's id or branch." },
    { name: "<text...>", help: "The message." },
  ],
  options: [JSON_OPTION],
  examples: [
    { run: 'banksman tell feat-auth "use bcrypt"', does: "sends a directive to the agent" },
    { run: "banksman inbox feat-auth", does: "shows whether the agent has read it" },
  ],
  async run({ args: [agent = "", ...words], options }, io) {
    const told = await actRunning<{ agent: string; seq: number; hears: Hears }>(io, {
      type: "tell",
      agent,
      text: words.join(" "),
    });
    if (options.json) printJson(io, told);
    else io.out(`Told ${told.agent} (message ${told.seq}). ${sayWhenHears(told.hears, told.agent)}\n`);
    return OK;
  },
};
