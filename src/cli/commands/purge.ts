import type { PurgeEntry } from "../../core/session/purge.ts";
import { counted } from "../../core/text/counted.ts";
import type { RemoveResult } from "../../modes/session/remove.ts";
import { type Command, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { confirm } from "../session/confirm.ts";
import { purgeStale } from "../session/purge-stale.ts";
import { reportRemoval } from "../session/report-removal.ts";
import { act } from "../supervisor/connect.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";

export const command: Command = {
  name: "purge",
  summary: "Remove the session with its worktrees, branches and logs; saves everything first",
  options: [
    {
      flags: "--stale",
      help: "Remove only what dead sessions left behind; keep the present session.",
    },
    { flags: "--force", help: "Do not ask for confirmation." },
    { flags: "--dry-run", help: "Show what would be removed, without removing it." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman purge", does: "lists uncommitted and unmerged work, asks, saves it, then removes the session" },
    {
      run: "banksman purge --stale",
      does: "removes worktrees, panes and state folders that no session needs any more",
    },
    { run: "banksman purge --dry-run --json", does: "prints the list for a program, and changes nothing" },
  ],
  async run(input, io) {
    const { options } = input;
    if (options.stale) return purgeStale(input, io);
    return withSupervisor(await requireRepository(io), "hold", async (connection) => {
      const { removed: plan } = await act<RemoveResult>(connection, { type: "purge", look: true, stale: false });
      if (!options.json || options.dryRun) show(io, plan, options.json === true);
      if (options.dryRun) return OK;
      if (!options.force) await confirm(io, `Remove ${counted(plan.length, "agent")}`, "--force");
      const result = await act<RemoveResult>(connection, { type: "purge", look: false, stale: false });
      if (options.json) printJson(io, result);
      else reportRemoval(io, result);
      return result.kept.length === 0 ? OK : 1;
    });
  },
};

function show(io: Io, plan: readonly PurgeEntry[], json: boolean): void {
  if (json) return printJson(io, plan);
  for (const { agent, branch, files, commits, removesWorktree, deletesBranch, stays } of plan) {
    if (stays !== null) {
      io.out(`  ${agent}: stays. ${stays}\n`);
      continue;
    }
    const unsaved =
      files + commits === 0
        ? "nothing unsaved"
        : `${counted(files, "uncommitted file")}, ${counted(commits, "unmerged commit")}: will be saved`;
    const what = removesWorktree
      ? `worktree${deletesBranch ? ` and branch ${branch}` : ""}`
      : "nothing of yours; it was there before";
    io.out(`  ${agent}: removes ${what} (${unsaved})\n`);
  }
}
