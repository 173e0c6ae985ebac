import { join } from "node:path";
import { isApproved } from "../../core/epic/decide/item-state.ts";
import { isCorrupt } from "../../core/epic/file/epic.ts";
import { fnv1a64 } from "../../core/text/hash.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, type Input, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { allEpics } from "../epic/locate.ts";
import { loopCommand } from "../epic/loop.ts";
import { findRepository } from "../wire/find-repository.ts";
import { holdAlone, letGo } from "../wire/wire-alone.ts";
import { wireEpic } from "../wire/wire-epic.ts";

export const command: Command = {
  name: "queue-drain",
  summary: "Run the epics that have queued items, until they rest; for cron",
  args: [{ name: "[epics...]", help: "Ids or paths. Default: all epics in .banksman/epics." }],
  options: [
    { flags: "--every <minutes>", help: "Minutes between ticks when no worker reports back. Default: 30." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: "banksman queue-drain",
      does: "runs queued and started epics until they rest; ends at once if there are none, or if another one runs",
    },
    {
      run: "banksman queue-drain auth --json",
      does: "runs one epic; exit code 1 if its file cannot be read",
    },
  ],
  ownSignals: true,
  async run(input, io) {
    const state = findRepository(io.cwd, io.env)?.state;
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
