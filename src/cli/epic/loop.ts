import { isCorrupt } from "../../core/epic/file/epic.ts";
import { Failed } from "../../core/failure/failed.ts";
import { loopEpics } from "../../modes/epic/loop.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { ERROR, type Input, type Io, OK, printJson } from "../command.ts";
import type { EpicWorld } from "../wire/wire-epic.ts";
import { allEpics, type Located } from "./locate.ts";

/** `epic loop [epics…]`: ticks until everything rests. Ctrl-C ends it; the next one goes on. */
export async function loopCommand(
  names: readonly string[],
  { options }: Input,
  io: Io,
  world: EpicWorld,
): Promise<number> {
  const { ports, policy } = world;
  const epics = await allEpics(names, ports.store, io);
  if (epics.length === 0)
    throw new Failed({
      kind: "usage",
      message: "There is no epic to loop over.",
      hint: 'Make one: `banksman epic new <id> --title "…"`.',
    });
  const minutes = readEvery(options.every) ?? world.loopMinutes;
  let ended = false;
  let wake: (() => void) | null = null;
  const stop = () => {
    ended = true;
    if (wake === null) io.err("Ending after this tick. Press again to end at once; the next loop continues.\n");
    else wake();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const how = await loopEpics(ports, {
    epics,
    policy,
    intervalMs: minutes * 60_000,
    onTick: (called, { next, row, role, why }) => {
      const asked = `needs you as its ${role}: \`banksman epic tick ${called}\` shows the question`;
      const what =
        row === undefined
          ? role === undefined
            ? (why ?? next)
            : asked
          : `${row.class}: ${row.decision}${row.notes === "" ? "" : ` (${row.notes})`}`;
      if (!options.json) io.out(`${called}  ${what}\n`);
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const done = () => {
          wake = null;
          resolve(ended ? "end" : "go on");
        };
        const timer = setTimeout(done, ended ? 0 : ms);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      }),
  });
  const rows = await Promise.all(epics.map((each) => statusOf(each, world)));
  if (options.json) printJson(io, { how, epics: rows });
  else for (const { id, status } of rows) io.out(`${id}: ${status}\n`);
  return rows.some(({ status }) => status === "corrupt") ? ERROR : OK;
}

function readEvery(text: unknown): number | null {
  if (text === undefined) return null;
  if (typeof text === "string" && /^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text);
  throw new Failed({ kind: "usage", message: "--every is a number of minutes.", hint: "For example `--every 30`." });
}

async function statusOf({ place, called }: Located, { ports }: EpicWorld): Promise<{ id: string; status: string }> {
  const text = (await ports.store.read(place))?.text ?? "";
  const epic = await readEpic(text, called);
  return isCorrupt(epic) ? { id: called, status: "corrupt" } : { id: epic.id, status: epic.status };
}
