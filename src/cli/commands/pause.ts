import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../supervisor/act-running.ts";

export const command: Command = {
  name: "pause",
  summary: "Hold back messages for agents; they finish what they are doing, and no message is lost",
  args: [{ name: "[agents...]", help: "Ids or branches. Default: all agents." }],
  options: [{ flags: "--until-commit <agent>", help: "Resume when this agent has committed." }, JSON_OPTION],
  examples: [
    { run: "banksman pause", does: "pauses all agents; `banksman resume` delivers what came meanwhile" },
    { run: "banksman pause feat-auth", does: "only this agent" },
    {
      run: "banksman pause feat-auth --until-commit feat-api",
      does: "pauses feat-auth until feat-api has committed",
    },
  ],
  async run({ args, options }, io) {
    const untilCommit = typeof options.untilCommit === "string" ? options.untilCommit : null;
    const done = await actRunning<Paused>(io, { type: "pause", agents: [...args], untilCommit });
    if (options.json) printJson(io, done);
    else io.out(`Paused${done.untilCommit ? ` until ${done.untilCommit} commits` : ""}: ${done.agents.join(", ")}.\n`);
    return OK;
  },
};

interface Paused {
  readonly agents: readonly string[];
  readonly untilCommit?: string;
}
