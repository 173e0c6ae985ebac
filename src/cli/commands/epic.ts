import { join, resolve } from "node:path";
import { ourselves, writeHolder } from "../../adapters/system/holder.ts";
import { isCorrupt, isId } from "../../core/epic/epic.ts";
import { reset } from "../../core/epic/halt.ts";
import { newEpic } from "../../core/epic/new-epic.ts";
import { viewEpic } from "../../core/epic/show.ts";
import { writeStamp } from "../../core/epic/stamp.ts";
import { Failed } from "../../core/failure.ts";
import { nearest } from "../../core/nearest.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, type Input, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { changeEpic } from "../epic/change.ts";
import { calledAfter, epicsFolder, openEpic } from "../epic/locate.ts";
import { renderView } from "../epic/render-epic.ts";
import { tickCommand } from "../epic/tick.ts";
import { type EpicWorld, wireEpic } from "../epic/wire-epic.ts";

export const command: Command = {
  name: "epic",
  summary: "One goal in one markdown file, moved on by one decision per tick",
  args: [
    { name: "<what>", help: "new, show, list, tick, loop, promote, reset, answer or log." },
    { name: "[epic]", help: "Its id in .banksman/epics, or the path of a markdown file." },
    { name: "[words...]", help: "For answer: the decision's id, and what you say." },
  ],
  options: [
    { flags: "--title <text>", help: "new: what the epic is about." },
    { flags: "--file <path>", help: "new: the file to make, instead of .banksman/epics/<id>.md." },
    { flags: "--dry-run", help: "tick: nothing is asked, written or sent; the answer says what would be." },
    { flags: "--verdict <file>", help: "tick: the answer of the role that is needed; - for standard input." },
    { flags: "--signals <file>", help: "tick: what is known of workers, as a JSON list; - for standard input." },
    { flags: "--every <minutes>", help: "loop: how long it waits where no worker comes back; default 30." },
    { flags: "--now <time>", help: "tick: the time to go by, as 2026-05-08T02:14:00Z." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: 'banksman epic new auth --title "Sign-in without passwords"',
      does: "makes .banksman/epics/auth.md; write what is wanted into it",
    },
    { run: "banksman epic tick auth", does: "moves it by one decision; a role nobody plays is put to you" },
    {
      run: "banksman epic tick auth --dry-run --verdict answer.json --json",
      does: "what that answer would come to, for a program",
    },
    {
      run: "banksman epic loop auth",
      does: "ticks until it is finished, halted, or waits for you; sooner when a worker comes back",
    },
    { run: "banksman epic promote auth", does: "approves the plan, or lets a halted epic go on" },
  ],
  ownSignals: true,
  async run(input, io) {
    const [what = "", name, ...words] = input.args;
    const perform = Object.hasOwn(VERBS, what) ? VERBS[what] : undefined;
    if (perform === undefined) throw unknownVerb(what);
    if (name === undefined && what !== "list" && what !== "loop")
      throw usage(`Which epic is to ${what}?`, `\`banksman epic ${what} <id>\`; \`banksman epic list\` shows them.`);
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
    `An epic cannot be asked to ${JSON.stringify(what)}.`,
    near === null ? `It can: ${SHOWN.join(", ")}.` : `Did you mean ${near}?`,
  );
}

async function make({ name, input: { options }, io, world: { ports } }: Asked): Promise<number> {
  if (!isId(name)) throw usage(`${JSON.stringify(name)} cannot be an id.`, "Letters, digits, - . and _, at most 80.");
  const place = typeof options.file === "string" ? resolve(io.cwd, options.file) : join(epicsFolder(io), `${name}.md`);
  const text = newEpic(name, typeof options.title === "string" ? options.title : name);
  if (!(await ports.store.save(place, text, null))) throw new Failed({ kind: "epic.exists", path: place });
  if (options.json) printJson(io, { id: name, path: place });
  else
    io.out(`${place} is there. Write what is wanted into it, then \`banksman epic tick ${options.file ?? name}\`.\n`);
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
      const open = epic.items.filter(
        ({ status }) => !["done", "cancelled", "ready_for_user_review"].includes(status),
      ).length;
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
  const { runOrder } = await import("../../adapters/epic/run-order.ts");
  const { createCommand } = await import("../../adapters/process/command.ts");
  await runOrder(createCommand("banksman.epic.work"), name, writeHolder(ourselves()));
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
  else io.out(`${epic.id} is queued again, epoch ${epic.epoch}: what was counted so far counts no more.\n`);
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
      "What is answered, and how?",
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
      io.out(`${at ?? "—"}  ${name.padEnd(18)} ${decision}${notes === "" ? "" : ` (${notes})`}\n`);
    for (const line of epic.log) io.out(`${line}\n`);
    if (rows.length + epic.log.length === 0) io.out("Nothing yet.\n");
  }
  return OK;
}
