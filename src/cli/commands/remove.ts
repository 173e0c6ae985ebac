import type { RemoveResult } from "../../modes/session/remove.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { reportRemoval } from "../session/report-removal.ts";
import { act } from "../supervisor/connect.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";

export const command: Command = {
  name: "remove",
  summary: "Remove agents from the session, with their worktrees",
  args: [{ name: "<agents...>", help: "Ids or branches." }],
  options: [
    {
      flags: "--force",
      help: "Also remove agents with uncommitted or unmerged work, after saving it under refs/banksman/backup/.",
    },
    { flags: "--keep-worktree", help: "Keep the worktree and the branch." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman remove feat-auth", does: "removes it, if all its work is committed and merged" },
    { run: "banksman remove feat-auth --force", does: "removes it in any case; `banksman restore` brings it back" },
  ],
  async run({ args, options }, io) {
    const action = {
      type: "remove",
      agents: args,
      force: options.force === true,
      keepWorktree: options.keepWorktree === true,
    } as const;
    const result = await withSupervisor(await requireRepository(io), "hold", (connection) =>
      act<RemoveResult>(connection, action),
    );
    if (options.json) printJson(io, result);
    else reportRemoval(io, result);
    return result.kept.length === 0 ? OK : 1;
  },
};
