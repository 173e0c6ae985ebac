import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";
import { renderStatus } from "../render.ts";

export const command: Command = {
  name: "status",
  summary: "What needs you, and what every agent is doing",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman status", does: "the session at a glance" },
    { run: "banksman status --json | jq '.needsYou'", does: "what waits for a person, for a script" },
  ],
  async run({ options }, io) {
    const reader = await openReader(await requireHere(io));
    const snapshot = await reader.snapshot();
    await reader.close();
    if (options.json) printJson(io, snapshot);
    else io.out(renderStatus(snapshot, Date.now()));
    return OK;
  },
};
