import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { confirm } from "../confirm.ts";
import { act } from "../connect.ts";
import { requireHere } from "../here.ts";
import { withSupervisor } from "../with-supervisor.ts";

export const command: Command = {
  name: "stop",
  summary: "End agents; their worktrees, branches and messages stay",
  args: [{ name: "[agents...]", help: "Only these, by id or branch; all of them by default." }],
  options: [{ flags: "--force", help: "Do not ask." }, JSON_OPTION],
  examples: [
    { run: "banksman stop", does: "ends all agents and the supervisor; `banksman start` brings them back" },
    { run: "banksman stop feat-auth", does: "ends one agent, the others go on" },
  ],
  async run({ args, options }, io) {
    const here = await requireHere(io);
    if (!options.force && io.interactive)
      await confirm(io, `End ${args.length === 0 ? "all agents" : args.join(", ")}?`, "--force");
    const { stopped } = await withSupervisor(here, "hold", (line) =>
      act<{ stopped: string[] }>(line, { type: "stop", agents: args }),
    );
    if (options.json) printJson(io, { stopped });
    else
      io.out(
        `Stopped ${stopped.join(", ")}. Work and worktrees are as they were; \`banksman start\` brings them back.\n`,
      );
    return OK;
  },
};
