import { join, resolve } from "node:path";
import { reset } from "../../core/epic/decide/halt.ts";
import { isClosed } from "../../core/epic/decide/item-state.ts";
import { viewEpic } from "../../core/epic/decide/show.ts";
import { isCorrupt, isId } from "../../core/epic/file/epic.ts";
import { newEpic } from "../../core/epic/file/new-epic.ts";
import { writeStamp } from "../../core/epic/file/stamp.ts";
import { Failed } from "../../core/failure/failed.ts";
import { nearest } from "../../core/text/nearest.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, type Input, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { changeEpic } from "../epic/change.ts";
import { calledAfter, epicsFolder, openEpic } from "../epic/locate.ts";
import { renderView } from "../epic/render-epic.ts";
import { tickCommand } from "../epic/tick.ts";
import { localTime } from "../show/local-time.ts";
import { type EpicWorld, wireEpic } from "../wire/wire-epic.ts";

export const command: Command = {
  name: "epic",
  summary: "Work on one goal, kept in one markdown file; each tick makes one decision",
  args: [
    { name: "<what>", help: "new, show, list, tick, loop, promote, reset, answer or log." },
    { name: "[epic]", help: "The epic's id in .banksman/epics, or the path of its markdown file." },
    { name: "[words...]", help: "For answer: the decision's id, then your answer." },
  ],
  options: [
    { flags: "--title <text>", help: "new: the epic's title." },
    { flags: "--file <path>", help: "new: the file to create. Default: .banksman/epics/<id>.md." },
    { flags: "--dry-run", help: "tick: show the next decision without asking, writing or sending anything." },
    {
      flags: "--verdict <file>",
      help: "tick: a file with the answer of the role that is asked; - for standard input.",
    },
    { flags: "--signals <file>", help: "tick: a file with the workers' signals as a JSON list; - for standard input." },
    { flags: "--every <minutes>", help: "loop: minutes between ticks when no worker reports back. Default: 30." },
    { flags: "--now <time>", help: "tick: use this time as the present, as 2026-05-08T02:14:00Z." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: 'banksman epic new auth --title "Sign-in without passwords"',
      does: "creates .banksman/epics/auth.md; describe the goal in it",
    },
    { run: "banksman epic tick auth", does: "makes one decision; if no one is configured for a role, you are asked" },
    {
      run: "banksman epic tick auth --dry-run --verdict answer.json --json",
      does: "shows what this answer would lead to",
    },
    {
      run: "banksman epic loop auth",
      does: "ticks until the epic is finished, halted, or waits for you",
    },
    { run: "banksman epic promote auth", does: "approves the plan, or continues a halted epic" },
  ],
  ownSignals: true,
  async run(input, io) {
    const [what = "", name, ...words] = input.args;
    const perform = Object.hasOwn(VERBS, what) ? VERBS[what] : undefined;
    if (perform === undefined) throw unknownVerb(what);
    if (name === undefined && what === "new")
      throw usage("Give the new epic an id: banksman epic new <id>.", "For example `banksman epic new auth`.");
    if (name === undefined && what !== "list" && what !== "loop")
      throw usage(
        `Which epic? Give its id: banksman epic ${what} <id>.`,
        "`banksman epic list` shows those that are here.",
      );
    return perform({ name: name ?? "", words, input, io, world: await wireEpic(io) });
  },
};

interface Asked {
  readonly name: string;
  readonly words: readonly string[];
  readonly input: Input;
  readonly io: Io;
  readonly world: EpicWorld;
}

const VERBS: Readonly<Record<string, (asked: Asked) => Promise<number>>> = {
  new: make,
  show,
  list,
  tick: ({ name, input, io, world }) => tickCommand(name, input, io, world),
  loop: async ({ name, words, input, io, world }) =>
    (await import("../epic/loop.ts")).loopCommand(name === "" ? [] : [name, ...words], input, io, world),
  work,
  promote,
  reset: release,
  answer,
  log,
};

const SHOWN = Object.keys(VERBS).filter((verb) => verb !== "work");

const usage = (message: string, hint: string): Failed => new Failed({ kind: "usage", message, hint });

function unknownVerb(what: string): Failed {
  const near = nearest(what, SHOWN);
  return usage(
    `There is no command \`epic ${what}\`.`,
    near === null ? `There are: ${SHOWN.map((verb) => `epic ${verb}`).join(", ")}.` : `Did you mean \`epic ${near}\`?`,
  );
}

async function make({ name, input: { options }, io, world: { ports } }: Asked): Promise<number> {
  if (!isId(name)) throw usage(`${JSON.stringify(name)} cannot be an id.`, "Letters, digits, - . and _, at most 80.");
  const place = typeof options.file === "string" ? resolve(io.cwd, options.file) : join(epicsFolder(io), `${name}.md`);
  const text = newEpic(name, typeof options.title === "string" ? options.title : name);
  if (!(await ports.store.save(place, text, null))) throw new Failed({ kind: "epic.exists", path: place });
  if (options.json) printJson(io, { id: name, path: place });
  else io.out(`Created ${place}. Describe the goal in it, then run \`banksman epic tick ${options.file ?? name}\`.\n`);
  return OK;
}

async function show({ name, input: { options }, io, world: { ports, policy } }: Asked): Promise<number> {
  const { epic } = await openEpic(name, ports.store, io);
  const view = viewEpic(epic, ports.now(), policy);
  if (options.json) printJson(io, view);
  else io.out(renderView(view));
  return OK;
}

async function list({ input: { options }, io, world: { ports } }: Asked): Promise<number> {
  const rows = await Promise.all(
    (await ports.store.list(epicsFolder(io))).map(async (path) => {
      const text = (await ports.store.read(path))?.text ?? "";
      const epic = await readEpic(text, calledAfter(path));
      if (isCorrupt(epic))
        return { id: calledAfter(path), path, status: "corrupt", title: epic.corrupt, items: 0, open: 0 };
      const open = epic.items.filter((item) => !isClosed(item)).length;
      return { id: epic.id, path, status: epic.status, title: epic.title, items: epic.items.length, open };
    }),
  );
  if (options.json) printJson(io, rows);
  else if (rows.length === 0) io.out('No epics yet: `banksman epic new <id> --title "…"`.\n');
  else
    for (const { id, status, title, items, open } of rows)
      io.out(`${id}  ${status}  ${items - open}/${items}  ${title}\n`);
  return OK;
}

/** What a dispatch starts in the background: runs an order of ours, once. Nobody types this. */
async function work({ name }: Asked): Promise<number> {
  const { wireOrder } = await import("../wire/wire-order.ts");
  await wireOrder(name);
  return OK;
}

/** The person's word, and nothing else: the next tick sees it. */
async function promote({ name, input: { options }, io, world: { ports } }: Asked): Promise<number> {
  const epic = await changeEpic(name, ports.store, io, (found) => ({ ...found, status: "queued" }));
  if (options.json) printJson(io, { id: epic.id, status: epic.status });
  else io.out(`${epic.id} is queued: what is ready in it may be worked on.\n`);
  return OK;
}

async function release({ name, input: { options }, io, world: { ports, policy } }: Asked): Promise<number> {
  const epic = await changeEpic(name, ports.store, io, (found) => reset(found, ports.now(), policy).epic);
  if (options.json) printJson(io, { id: epic.id, status: epic.status, epoch: epic.epoch });
  else
    io.out(
      `${epic.id} is queued again, epoch ${epic.epoch}: failures and attempts are counted from zero. The planner's halts after a failure still count.\n`,
    );
  return OK;
}

async function answer({
  name,
  words: [id, ...said],
  input: { options },
  io,
  world: { ports },
}: Asked): Promise<number> {
  const text = said.join(" ").trim();
  if (id === undefined || text === "")
    throw usage(
      "Name the decision and your answer: banksman epic answer <epic> <decision> <answer>.",
      'For example: `banksman epic answer auth why-t-3 "waits for the vendor"`.',
    );
  const epic = await changeEpic(name, ports.store, io, (found) => {
    if (!found.decisions.some((decision) => decision.id === id)) {
      const open = found.decisions.filter((decision) => decision.answer === "").map((decision) => decision.id);
      const hint = open.length > 0 ? `Open: ${open.join(", ")}.` : "Nothing is open in it.";
      throw usage(`${found.id} has no question ${JSON.stringify(id)}.`, hint);
    }
    return {
      ...found,
      decisions: found.decisions.map((decision) => (decision.id === id ? { ...decision, answer: text } : decision)),
    };
  });
  if (options.json) printJson(io, { id: epic.id, decision: id, answer: text });
  else io.out(`Answered. The next tick of ${epic.id} reads it.\n`);
  return OK;
}

async function log({ name, input: { options }, io, world: { ports } }: Asked): Promise<number> {
  const { epic } = await openEpic(name, ports.store, io);
  const rows = epic.memory.map(({ at, row: _, ...rest }) => ({ at: at === null ? null : writeStamp(at), ...rest }));
  if (options.json) printJson(io, { memory: rows, log: epic.log });
  else {
    for (const { at, class: name, decision, notes } of rows)
      io.out(
        `${at === null ? "—" : localTime(at, Date.now())}  ${name.padEnd(18)} ${decision}${notes === "" ? "" : ` (${notes})`}\n`,
      );
    for (const line of epic.log) io.out(`${inLocalTime(line)}\n`);
    if (rows.length + epic.log.length === 0) io.out("Nothing yet.\n");
  }
  return OK;
}

/** A line of the file's log begins with its time, in UTC. */
const inLocalTime = (line: string): string =>
  line.replace(/^- (\S+)/, (whole, at: string) =>
    Number.isNaN(Date.parse(at)) ? whole : `- ${localTime(at, Date.now())}`,
  );
