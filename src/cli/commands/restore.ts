import { iso } from "../../core/instant.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { act } from "../connect.ts";
import { requireHere } from "../here.ts";
import { wireWorld } from "../wire.ts";
import { withSupervisor } from "../with-supervisor.ts";

export const command: Command = {
  name: "restore",
  summary: "List what was saved before a removal, or bring it back",
  args: [
    {
      name: "[what]",
      help: "`list` (the default), a ref, its last part, or an agent's or branch's name for its newest.",
    },
  ],
  options: [{ flags: "--branch <name>", help: "Bring it back under another branch name." }, JSON_OPTION],
  examples: [
    { run: "banksman restore list", does: "everything under refs/banksman/backup/, newest first" },
    { run: "banksman restore feat-auth", does: "its branch and worktree as they were, uncommitted files included" },
  ],
  async run({ args: [what = "list"], options }, io) {
    const here = await requireHere(io);
    if (what === "list") {
      const backups = (await wireWorld(here, io.env).git.backups()).map((backup) => ({
        ...backup,
        at: iso(backup.at),
      }));
      if (options.json) printJson(io, backups);
      else if (backups.length === 0) io.out("Nothing was ever removed here.\n");
      else
        for (const { ref, branch, at, files, commits } of backups)
          io.out(`${ref}\n    ${branch}, ${at}: ${files} uncommitted files, ${commits} commits of its own\n`);
      return OK;
    }
    const branch = typeof options.branch === "string" ? options.branch : null;
    const done = await withSupervisor(here, "hold", (line) =>
      act<{ branch: string; worktree: string; ref: string }>(line, { type: "restore", ref: what, branch }),
    );
    if (options.json) printJson(io, done);
    else io.out(`${done.branch} is back in ${done.worktree}. The backup ${done.ref} stays.\n`);
    return OK;
  },
};
