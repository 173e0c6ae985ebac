import { isCorrupt } from "../../core/epic/epic.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, JSON_OPTION, OK, printJson } from "../command.ts";
import { allEpics } from "../epic/locate.ts";
import { loopCommand } from "../epic/loop.ts";
import { wireEpic } from "../epic/wire-epic.ts";

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
      does: "loops over the queued epics until they rest; ends at once where none is queued",
    },
    {
      run: "banksman queue-drain auth --json",
      does: "one epic, for a program; exit code 1 where the store cannot be read",
    },
  ],
  ownSignals: true,
  async run(input, io) {
    const world = await wireEpic(io);
    const queued: string[] = [];
    let failed = false;
    for (const { place, called } of await allEpics(input.args, world.ports.store, io)) {
      const text = (await world.ports.store.read(place))?.text ?? null;
      const epic = text === null ? { corrupt: "it cannot be read" } : await readEpic(text, called);
      if (isCorrupt(epic)) {
        io.err(`${place} was not touched: ${epic.corrupt}.\n`);
        failed = true;
      } else if (epic.status === "queued") queued.push(place);
    }
    if (queued.length > 0) failed = (await loopCommand(queued, input, io, world)) !== OK || failed;
    else if (input.options.json) printJson(io, { how: "rest", epics: [] });
    else io.out("Nothing is queued.\n");
    return failed ? ERROR : OK;
  },
};
