import { Failed } from "../../core/failure.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { actRunning } from "../running.ts";

export const command: Command = {
  name: "retract",
  summary: "Take back what an agent says it will touch; it is told, and the others hear it",
  args: [{ name: "[paths...]", help: "Only these, and what lies below them; all it claims by default." }],
  options: [{ flags: "--agent <agent>", help: "Whose claims: its id or its branch." }, JSON_OPTION],
  examples: [
    { run: "banksman retract --agent feat-auth", does: "everything it claims" },
    {
      run: "banksman retract --agent feat-auth src/api/ README.md",
      does: "one folder and one file; the rest stays its",
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
