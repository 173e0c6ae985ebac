import { Failed } from "../../core/failure/failed.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../supervisor/act-running.ts";

export const command: Command = {
  name: "retract",
  summary: "Cancel an agent's claim on files; tells that agent and the others",
  args: [{ name: "[paths...]", help: "Files or folders. Default: everything the agent claims." }],
  options: [{ flags: "--agent <agent>", help: "The agent's id or branch." }, JSON_OPTION],
  examples: [
    { run: "banksman retract --agent feat-auth", does: "cancels all its claims" },
    {
      run: "banksman retract --agent feat-auth src/api/ README.md",
      does: "cancels its claims on one folder and one file",
    },
  ],
  async run({ args, options }, io) {
    if (typeof options.agent !== "string") throw new Failed(NOBODY);
    const done = await actRunning<{ agent: string; paths: string[] }>(io, {
      type: "retract",
      agent: options.agent,
      paths: [...args],
    });
    if (options.json) printJson(io, done);
    else io.out(`${done.agent} no longer claims ${done.paths.join(", ")}, and was told.\n`);
    return OK;
  },
};

const NOBODY = {
  kind: "usage",
  message: "Whose claims should be taken back?",
  hint: "Name the agent: `banksman retract --agent <agent> [paths…]`. An agent says `banksman say retract`.",
} as const;
