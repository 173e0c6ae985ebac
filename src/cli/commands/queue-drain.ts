import { join } from "node:path";
import { holdAlone, letGo } from "../../adapters/system/alone.ts";
import { isCorrupt } from "../../core/epic/epic.ts";
import { isApproved } from "../../core/epic/standing.ts";
import { fnv1a64 } from "../../core/hash.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, type Input, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { allEpics } from "../epic/locate.ts";
import { loopCommand } from "../epic/loop.ts";
import { wireEpic } from "../epic/wire-epic.ts";
import { findHere } from "../place.ts";

export const command: Command = {
  name: "queue-drain",
  summary: "Work off what is queued in epics, if anything is: for cron",
  args: [{ name: "[epics...]", help: "Ids or paths; all of .banksman/epics without any." }],
  options: [
    { flags: "--every <minutes>", help: "How long it waits where no worker comes back; default 30." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: "banksman queue-drain",
      does: "loops over epics that are queued or under way until they rest; ends at once where there are none, or another is at it",
    },
    {
      run: "banksman queue-drain auth --json",
      does: "one epic, for a program; exit code 1 where the store cannot be read",
    },
  ],
  ownSignals: true,
  async run(input, io) {
    const state = findHere(io.cwd, io.env)?.state;
    // A cron that comes round while workers are out would else have one more loop each time.
    const name = state === undefined ? null : join(state, "epics", `drain-${fnv1a64(input.args.join("\n"))}`);
    const other = name === null ? null : holdAlone(name);
    if (other !== null) {
      if (input.options.json) printJson(io, { how: "other", epics: [] });
      else io.out(`Another queue-drain is at it already (process ${other.pid}).\n`);
      return OK;
    }
    try {
      return await drain(input, io);
    } finally {
      if (name !== null) letGo(name);
    }
  },
};

async function drain(input: Input, io: Io): Promise<number> {
  const world = await wireEpic(io);
  const open: string[] = [];
  let failed = false;
  for (const { place, called } of await allEpics(input.args, world.ports.store, io)) {
    const text = (await world.ports.store.read(place))?.text ?? null;
    const epic = text === null ? { corrupt: "it cannot be read" } : await readEpic(text, called);
    if (isCorrupt(epic)) {
      io.err(`${place} was not touched: ${epic.corrupt}.\n`);
      failed = true;
    } else if (isApproved(epic)) open.push(place);
  }
  if (open.length > 0) failed = (await loopCommand(open, input, io, world)) !== OK || failed;
  else if (input.options.json) printJson(io, { how: "rest", epics: [] });
  else io.out("Nothing is queued.\n");
  return failed ? ERROR : OK;
}
