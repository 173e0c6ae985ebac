import type { PurgeEntry } from "../../core/purge.ts";
import type { RemoveResult } from "../../modes/session/remove.ts";
import { type Command, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { confirm } from "../confirm.ts";
import { act } from "../connect.ts";
import { requireHere } from "../here.ts";
import { purgeStale } from "../purge-stale.ts";
import { reportRemoval } from "../report-removal.ts";
import { withSupervisor } from "../with-supervisor.ts";

export const command: Command = {
  name: "purge",
  summary: "Remove the session: worktrees, branches it made, logs; everything is saved first",
  options: [
    {
      flags: "--stale",
      help: "Only what dead sessions left behind, here and of repositories that are gone; the session stays.",
    },
    { flags: "--force", help: "Do not ask." },
    { flags: "--dry-run", help: "Only show what would be removed." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman purge", does: "shows what is uncommitted or unmerged, asks, saves, removes" },
    { run: "banksman purge --stale", does: "worktrees, panes and state folders nobody needs any more, and why" },
    { run: "banksman purge --dry-run --json", does: "the same list for a program; nothing is touched" },
  ],
  async run(input, io) {
    const { options } = input;
    if (options.stale) return purgeStale(input, io);
    return withSupervisor(await requireHere(io), "hold", async (line) => {
      const { removed: plan } = await act<RemoveResult>(line, { type: "purge", look: true, stale: false });
      if (!options.json || options.dryRun) show(io, plan, options.json === true);
      if (options.dryRun) return OK;
      if (!options.force)
        await confirm(io, `Remove ${plan.length === 1 ? "this agent" : `these ${plan.length} agents`}?`, "--force");
      const result = await act<RemoveResult>(line, { type: "purge", look: false, stale: false });
      if (options.json) printJson(io, result);
      else reportRemoval(io, result);
      return result.kept.length === 0 ? OK : 1;
    });
  },
};

function show(io: Io, plan: readonly PurgeEntry[], json: boolean): void {
  if (json) return printJson(io, plan);
  for (const { agent, branch, files, commits, removesWorktree, deletesBranch } of plan) {
    const unsaved =
      files + commits === 0
        ? "nothing unsaved"
        : `${files} uncommitted files, ${commits} unmerged commits: will be saved`;
    const what = removesWorktree
      ? `worktree${deletesBranch ? ` and branch ${branch}` : ""}`
      : "nothing of yours; it was there before";
    io.out(`  ${agent}: removes ${what} (${unsaved})\n`);
  }
}
