import { Failed } from "../../core/failure/failed.ts";
import { readBranches } from "../../core/session/read-branches.ts";
import { cliNames } from "../../core/session/settings.ts";
import type { StartResult } from "../../modes/session/start.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { readBriefs } from "../session/briefs.ts";
import { followLaunch } from "../session/follow-launch.ts";
import { connectRunning } from "../supervisor/act-running.ts";
import { act } from "../supervisor/connect.ts";
import { wireConfig } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "add",
  summary: "Add agents to the running session",
  args: [
    {
      name: "<branches...>",
      help: "One agent per branch, separated by spaces or commas. Creates branches that do not exist. `feat/a=codex` names a CLI for this one.",
    },
  ],
  options: [
    { flags: "--cli <name>", help: "The CLI the agents run. Default: `default_cli` in the config." },
    { flags: "-m, --message <text>", help: "The agents' task, as text." },
    { flags: "--brief <path>", help: "The agents' task: a text file, or a folder with one <agent>.md file per agent." },
    JSON_OPTION,
  ],
  examples: [
    { run: 'banksman add feat/search -m "Add a search box"', does: "adds one agent with a task, with the default CLI" },
    {
      run: "banksman add fix/a fix/b --cli scripted --brief tasks/",
      does: "adds two agents, each with its own task from the folder",
    },
  ],
  whenInterrupted:
    "The agents keep starting in the background: `banksman status` shows them, `banksman stop` stops them.",
  async run({ args, options }, io) {
    const repository = await requireRepository(io);
    const connection = await connectRunning(repository);
    const named = readBranches(
      args.flatMap((each) => each.split(",").filter(Boolean)),
      cliNames(wireConfig(repository, io.env).settings),
    );
    if ("kind" in named) throw new Failed(named);
    const cli = typeof options.cli === "string" ? options.cli : null;
    const result = await act<StartResult>(connection, {
      type: "add",
      ...named,
      cli,
      briefs: await readBriefs(options, io),
    });
    return followLaunch(connection, result, options.json === true, io);
  },
};
