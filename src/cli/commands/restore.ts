import { counted } from "../../core/text/counted.ts";
import { iso } from "../../core/text/instant.ts";
import { type Command, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { followProgress } from "../session/follow-progress.ts";
import { localTime } from "../show/local-time.ts";
import { act } from "../supervisor/connect.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "restore",
  summary: "List the backups that removals made, or bring one back",
  args: [
    {
      name: "[what]",
      help: "`list` (the default), a backup's ref or its last part, or an agent or branch for its newest backup.",
    },
  ],
  options: [{ flags: "--branch <name>", help: "Restore under another branch name." }, JSON_OPTION],
  examples: [
    { run: "banksman restore list", does: "lists all backups, newest first" },
    { run: "banksman restore feat-auth", does: "restores its branch and worktree, with uncommitted files" },
  ],
  async run({ args: [what = "list"], options }, io) {
    const repository = await requireRepository(io);
    if (what === "list") return list(repository, options.json === true, io);
    const branch = typeof options.branch === "string" ? options.branch : null;
    const done = await withSupervisor(repository, "hold", (connection) =>
      followProgress(
        io,
        connection,
        act<{ branch: string; worktree: string; ref: string }>(connection, { type: "restore", ref: what, branch }),
      ),
    );
    if (options.json) printJson(io, done);
    else io.out(`${done.branch} is back in ${done.worktree}. The backup ${done.ref} stays.\n`);
    return OK;
  },
};

async function list(repository: Repository, json: boolean, io: Io): Promise<number> {
  const { found, unreadable } = await wirePorts(repository, io.env).git.backups();
  if (json)
    printJson(
      io,
      found.map((backup) => ({ ...backup, at: iso(backup.at) })),
    );
  else if (found.length === 0) io.out("There are no backups here.\n");
  else
    for (const { ref, branch, at, files, commits } of found)
      io.out(
        `${ref}\n    ${branch}, ${localTime(iso(at), Date.now())}: ${counted(files, "uncommitted file")}, ${counted(commits, "commit")} of its own\n`,
      );
  for (const ref of unreadable) io.err(`${ref} cannot be read, and was left out. \`git fsck\` says what is missing.\n`);
  return OK;
}
