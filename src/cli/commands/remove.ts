import type { RemoveResult } from "../../modes/session/remove.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { act } from "../connect.ts";
import { requireHere } from "../here.ts";
import { reportRemoval } from "../report-removal.ts";
import { withSupervisor } from "../with-supervisor.ts";

export const command: Command = {
  name: "remove",
  summary: "Take agents out of the session, with their worktrees",
  args: [{ name: "<agents...>", help: "Their ids or branches." }],
  options: [
    {
      flags: "--force",
      help: "Even with uncommitted or unmerged work: it is saved under refs/banksman/backup/ first.",
    },
    { flags: "--keep-worktree", help: "Leave worktree and branch where they are." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman remove feat-auth", does: "only if all its work is committed and merged" },
    { run: "banksman remove feat-auth --force", does: "in any case; `banksman restore` brings it back" },
  ],
  async run({ args, options }, io) {
    const action = {
      type: "remove",
      agents: args,
      force: options.force === true,
      keepWorktree: options.keepWorktree === true,
    } as const;
    const result = await withSupervisor(await requireHere(io), "hold", (line) => act<RemoveResult>(line, action));
    if (options.json) printJson(io, result);
    else reportRemoval(io, result);
    return result.kept.length === 0 ? OK : 1;
  },
};
