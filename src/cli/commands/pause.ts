import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { act, connect } from "../connect.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "pause",
  summary: "Tell agents nothing more for now; they go on with what they have, and nothing is lost",
  args: [{ name: "[agents...]", help: "Only these, by id or branch; all of them by default." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman pause", does: "while you sort something out; `banksman resume` tells them all that came" },
    { run: "banksman pause feat-auth", does: "one agent; the others are not touched" },
  ],
  async run({ args, options }, io) {
    const line = await connect(await requireHere(io), "never");
    const done = await act<{ agents: string[] }>(line, { type: "pause", agents: [...args] });
    if (options.json) printJson(io, done);
    else io.out(`Paused: ${done.agents.join(", ")}.\n`);
    return OK;
  },
};
