import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { act, connect } from "../connect.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "resume",
  summary: "Tell agents again what has come for them",
  args: [{ name: "[agents...]", help: "Only these, by id or branch; all of them by default." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman resume", does: "after `banksman pause`" },
    { run: "banksman resume feat-auth", does: "one agent; the others are not touched" },
  ],
  async run({ args, options }, io) {
    const line = await connect(await requireHere(io), "never");
    const done = await act<{ agents: string[] }>(line, { type: "resume", agents: [...args] });
    if (options.json) printJson(io, done);
    else io.out(`Resumed: ${done.agents.join(", ")}.\n`);
    return OK;
  },
};
