import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { act, connect } from "../connect.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "pause",
  summary: "Tell agents nothing more for now; they go on with what they have, and nothing is lost",
  args: [{ name: "[agents...]", help: "Only these, by id or branch; all of them by default." }],
  options: [
    { flags: "--until-commit <agent>", help: "Until this agent has committed: they are then told all that came." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman pause", does: "while you sort something out; `banksman resume` tells them all that came" },
    { run: "banksman pause feat-auth", does: "one agent; the others are not touched" },
    {
      run: "banksman pause feat-auth --until-commit feat-api",
      does: "until the other one is through with a shared file",
    },
  ],
  async run({ args, options }, io) {
    const line = await connect(await requireHere(io), "never");
    const untilCommit = typeof options.untilCommit === "string" ? options.untilCommit : null;
    const done = await act<Paused>(line, { type: "pause", agents: [...args], untilCommit });
    if (options.json) printJson(io, done);
    else io.out(`Paused${done.untilCommit ? ` until ${done.untilCommit} commits` : ""}: ${done.agents.join(", ")}.\n`);
    return OK;
  },
};

interface Paused {
  readonly agents: readonly string[];
  readonly untilCommit?: string;
}
