import { Failed } from "../../core/failure.ts";
import type { StartResult } from "../../modes/session/start.ts";
import { readBriefs } from "../briefs.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { act, connect } from "../connect.ts";
import { followLaunch } from "../follow-launch.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "add",
  summary: "Add agents to the running session",
  args: [{ name: "<branches...>", help: "One agent for each; a branch that does not exist is made." }],
  options: [
    { flags: "--cli <name>", help: "The CLI they run." },
    { flags: "--brief <path>", help: "Their task: a text file, or a folder with <agent>.md files." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman add feat/search", does: "one more agent, with the default CLI" },
    { run: "banksman add fix/a fix/b --cli scripted --brief tasks/", does: "two, each with its own task" },
  ],
  async run({ args, options }, io) {
    const line = await connect(await requireHere(io), "never").catch((error: unknown) => {
      if (error instanceof Failed && error.failure.kind === "supervisor.none")
        throw new Failed({ kind: "session.not-running" });
      throw error;
    });
    const cli = typeof options.cli === "string" ? options.cli : null;
    const result = await act<StartResult>(line, {
      type: "add",
      branches: args,
      cli,
      briefs: readBriefs(options.brief, io),
    });
    return followLaunch(line, result, options.json === true, io);
  },
};
