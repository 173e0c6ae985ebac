import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { renderAgents } from "../show/render.ts";
import { openReader } from "../supervisor/reader.ts";

export const command: Command = {
  name: "agents",
  summary: "List the agents of the session, one line each",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman agents", does: "prints id, state, CLI, branch, time of the last sign of life, present work" },
    { run: "banksman agents --json | jq -r '.[].worktree'", does: "prints the path of each worktree" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireRepository(io));
    const { agents } = await reader.snapshot();
    await reader.close();
    if (options.json) printJson(io, agents);
    else io.out(`${renderAgents(agents, Date.now()).join("\n")}\n`);
    return OK;
  },
};
