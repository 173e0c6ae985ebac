import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../supervisor/act-running.ts";

export const command: Command = {
  name: "resume",
  summary: "Deliver held messages to paused agents, and new ones from now on",
  args: [{ name: "[agents...]", help: "Ids or branches. Default: all agents." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman resume", does: "resumes all agents" },
    { run: "banksman resume feat-auth", does: "only this agent" },
  ],
  async run({ args, options }, io) {
    const done = await actRunning<{ agents: string[] }>(io, { type: "resume", agents: [...args] });
    if (options.json) printJson(io, done);
    else io.out(`Resumed: ${done.agents.join(", ")}.\n`);
    return OK;
  },
};
