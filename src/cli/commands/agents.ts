import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";
import { renderAgents } from "../render.ts";

export const command: Command = {
  name: "agents",
  summary: "The agents of the session, one line each",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman agents", does: "id, state, CLI, branch, last sign, what it is at" },
    { run: "banksman agents --json | jq -r '.[].worktree'", does: "where each of them works" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireHere(io));
    const { agents } = await reader.snapshot();
    await reader.close();
    if (options.json) printJson(io, agents);
    else io.out(`${renderAgents(agents, Date.now()).join("\n")}\n`);
    return OK;
  },
};
