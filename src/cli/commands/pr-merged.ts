import { mergedItems } from "../../core/epic/decide/merged.ts";
import { ingest } from "../../core/epic/decide/signals.ts";
import { isCorrupt } from "../../core/epic/file/epic.ts";
import { Failed } from "../../core/failure/failed.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import { type Command, ERROR, JSON_OPTION, OK, printJson } from "../command.ts";
import { changeEpic } from "../epic/change.ts";
import { allEpics } from "../epic/locate.ts";
import { wireEpic } from "../wire/wire-epic.ts";

export const command: Command = {
  name: "pr-merged",
  summary: "Mark the item of a merged branch as done, in the epic that has it",
  args: [
    {
      name: "<branch>",
      help: "The merged branch, as epic/<epic>/<item>.<epoch>.<seq>, or the address of its pull request.",
    },
    { name: "[epics...]", help: "Ids or paths. Default: all epics in .banksman/epics." },
  ],
  options: [
    {
      flags: "--url <address>",
      help: "The address of its pull request: also marks the items that are reviewed there.",
    },
    { flags: "--allow-none", help: "Succeed even if no item has this branch." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman pr-merged epic/auth/t-1.1.4", does: "marks item t-1 of the epic auth as done" },
    { run: 'banksman pr-merged "$GITHUB_HEAD_REF"', does: "in a workflow, after a pull request was merged" },
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
