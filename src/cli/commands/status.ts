import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { renderStatus } from "../show/render.ts";
import { openReader } from "../supervisor/reader.ts";

export const command: Command = {
  name: "status",
  summary: "Show what needs you, and what every agent is doing",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman status", does: "shows the session at a glance" },
    { run: "banksman status --json | jq '.needsYou'", does: "prints what waits for you, for a script" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireRepository(io));
    const snapshot = await reader.snapshot();
    await reader.close();
    if (options.json) printJson(io, snapshot);
    else io.out(renderStatus(snapshot, Date.now()));
    return OK;
  },
};
