import { ingest } from "../../core/epic/decide/signals.ts";
import { staleItems } from "../../core/epic/decide/stale.ts";
import { isCorrupt } from "../../core/epic/file/epic.ts";
import { renderEpic } from "../../core/epic/file/render.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, JSON_OPTION, OK, printJson } from "../command.ts";
import { allEpics } from "../epic/locate.ts";
import { readNow } from "../epic/read-now.ts";
import { wireEpic } from "../wire/wire-epic.ts";

export const command: Command = {
  name: "stale-check",
  summary: "List items of epics whose worker has been silent too long, or put them back into the queue",
  args: [{ name: "[epics...]", help: "Ids or paths. Default: all epics in .banksman/epics." }],
  options: [
    {
      flags: "--reset",
      help: "Set them to queued, except where the worker still runs here. Exit code 1 if one was not set.",
    },
    { flags: "--now <time>", help: "Use this time as the present, as 2026-05-08T02:14:00Z." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: "banksman stale-check",
      does: "lists items in progress for more than four hours without a sign of life or a pull request",
    },
    { run: "banksman stale-check --reset", does: "queues them again, and keeps the count of their attempts; for cron" },
  ],
  async run({ args, options }, io) {
    const { ports, policy } = await wireEpic(io);
    const now = readNow(options.now) ?? ports.now();
    const rows: { epic: string; item: string; silentHours: number; reset: boolean; runs: boolean }[] = [];
    let failed = false;
    for (const { place, called } of await allEpics(args, ports.store, io)) {
      const stored = await ports.store.read(place);
      const read = stored?.text == null ? { corrupt: "it cannot be read" } : await readEpic(stored.text, called);
      if (stored === null || isCorrupt(read)) {
        io.err(`${place} was not touched: ${isCorrupt(read) ? read.corrupt : "it is gone"}.\n`);
        failed = true;
        continue;
      }
      const stale = staleItems(read, await ports.dispatcher.observe(read), now, policy);
      const free = stale.filter(({ runs }) => !runs);
      const back = ingest(
        read,
        free.map(({ item }) => ({ item, kind: "stale" as const })),
        now,
      );
      const saved =
        options.reset === true && free.length > 0 && (await ports.store.save(place, renderEpic(back), stored.version));
      for (const { item, silentMs, runs } of stale)
        rows.push({ epic: read.id, item, silentHours: Math.floor(silentMs / 3_600_000), reset: saved && !runs, runs });
    }
    if (options.json) printJson(io, rows);
    else if (rows.length === 0) io.out("No worker has been silent for too long.\n");
    else
      for (const { epic, item, silentHours, reset, runs } of rows)
        io.out(`${epic}  ${item}  silent for ${silentHours} h${besides(reset, runs)}\n`);
    return failed || (options.reset === true && rows.some(({ reset }) => !reset)) ? ERROR : OK;
  },
};

function besides(reset: boolean, runs: boolean): string {
  if (reset) return ", queued again";
  return runs ? "; its worker still runs here, so it is not queued again: end it first" : "";
}
