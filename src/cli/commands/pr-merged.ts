import { ingest } from "../../core/epic/signals.ts";
import { Failed } from "../../core/failure.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { changeEpic } from "../epic/change.ts";
import { allEpics, openEpic } from "../epic/locate.ts";
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
    const { ports } = await wireEpic(io);
    const [, epicId, itemId] = /^epic\/([^/]+)\/(.+)\.\d+\.\d+$/.exec(branch) ?? [];
    const done: { epic: string; item: string }[] = [];
    for (const { place } of await allEpics(names, ports.store, io)) {
      const { epic } = await openEpic(place, ports.store, io);
      const isIts = ({ id, surface }: { id: string; surface: string }) =>
        (epic.id === epicId && id === itemId) || [branch, `branch ${branch}`, options.url].includes(surface);
      const [item] = epic.items.filter(isIts);
      if (item === undefined) continue;
      await changeEpic(place, ports.store, io, (found) =>
        ingest(found, [{ item: item.id, kind: "done" }], ports.now()),
      );
      done.push({ epic: epic.id, item: item.id });
    }
    if (done.length === 0 && options.allowNone !== true)
      throw new Failed({
        kind: "usage",
        message: `No work item has the branch ${JSON.stringify(branch)}.`,
        hint: "`banksman epic show <epic>` shows each item's.",
      });
    if (options.json) printJson(io, done);
    else if (done.length === 0) io.out("No work item has that branch.\n");
    else for (const { epic, item } of done) io.out(`${item} of ${epic} is done.\n`);
    return OK;
  },
};
