import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { confirm } from "../session/confirm.ts";
import { sayStopped } from "../show/say-stopped.ts";
import { act } from "../supervisor/connect.ts";
import { readSupervisorFile } from "../supervisor/state-files.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";

export const command: Command = {
  name: "stop",
  summary: "Stop agents; keep their worktrees, branches and messages",
  args: [{ name: "[agents...]", help: "Ids or branches. Default: all agents." }],
  options: [{ flags: "--force", help: "Do not ask for confirmation." }, JSON_OPTION],
  examples: [
    { run: "banksman stop", does: "stops all agents and the background process; `banksman start` brings them back" },
    { run: "banksman stop feat-auth", does: "stops one agent; the others continue" },
  ],
  async run({ args, options }, io) {
    const repository = await requireRepository(io);
    if (!options.force && io.interactive)
      await confirm(io, `Stop ${args.length === 0 ? "all agents" : args.join(", ")}`, "--force");
    const { stopped, finished } = await withSupervisor(repository, "hold", (connection) =>
      act<{ stopped: string[]; finished: string[] }>(connection, { type: "stop", agents: args }),
    );
    if (options.json) printJson(io, { stopped, finished });
    else io.out(sayStopped({ stopped, finished, isOver: readSupervisorFile(repository.state) === null }));
    return OK;
  },
};
