import { isCorrupt } from "../../core/epic/epic.ts";
import { mergedItems } from "../../core/epic/merged.ts";
import { ingest } from "../../core/epic/signals.ts";
import { Failed } from "../../core/failure.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, JSON_OPTION, OK, printJson } from "../command.ts";
import { changeEpic } from "../epic/change.ts";
import { allEpics } from "../epic/locate.ts";
import { wireEpic } from "../epic/wire-epic.ts";

export const command: Command = {
  name: "pr-merged",
  summary: "Mark the work item of a merged branch as done, in whichever epic it is",
  args: [
    {
      name: "<branch>",
      help: "The branch that was merged, as epic/<epic>/<item>.<epoch>.<seq>, or its pull request's address.",
    },
    { name: "[epics...]", help: "Ids or paths; all of .banksman/epics without any." },
  ],
  options: [
    { flags: "--url <address>", help: "Its pull request's address: items that are reviewed there are its, too." },
    { flags: "--allow-none", help: "It is no error if no item has that branch." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman pr-merged epic/auth/t-1.1.4", does: "item t-1 of the epic auth is done" },
    { run: 'banksman pr-merged "$GITHUB_HEAD_REF"', does: "in a workflow, when a pull request was merged" },
  ],
  async run({ args: [branch = "", ...names], options }, io) {
    const merged = { branch: branch.trim(), url: typeof options.url === "string" ? options.url.trim() : "" };
    if (merged.branch === "")
      throw new Failed({
        kind: "usage",
        message: "Which branch was merged? An empty name is none.",
        hint: "In a workflow: does the variable have a value in the event that started it?",
      });
    const { ports } = await wireEpic(io);
    const done: { epic: string; item: string }[] = [];
    let failed = false;
    for (const { place, called } of await allEpics(names, ports.store, io)) {
      const text = (await ports.store.read(place))?.text ?? null;
      const epic = text === null ? { corrupt: "it cannot be read" } : await readEpic(text, called);
      if (isCorrupt(epic)) {
        io.err(`${place} was not touched: ${epic.corrupt}.\n`);
        failed = true;
        continue;
      }
      const items = mergedItems(epic, merged);
      if (items.length === 0) continue;
      const signals = items.map(({ id }) => ({ item: id, kind: "done" as const }));
      await changeEpic(place, ports.store, io, (found) => ingest(found, signals, ports.now()));
      done.push(...items.map(({ id }) => ({ epic: epic.id, item: id })));
    }
    if (done.length === 0 && !failed && options.allowNone !== true)
      throw new Failed({
        kind: "usage",
        message: `No work item has the branch ${JSON.stringify(branch)}.`,
        hint: "`banksman epic show <epic>` shows each item's.",
      });
    if (options.json) printJson(io, done);
    else if (done.length === 0) io.out("No work item has that branch.\n");
    else for (const { epic, item } of done) io.out(`${item} of ${epic} is done.\n`);
    return failed ? ERROR : OK;
  },
};
