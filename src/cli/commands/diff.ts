import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { findWorktree } from "../session/find-worktree.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { wireViewer } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "diff",
  summary: "Show what an agent has changed, uncommitted work included",
  args: [{ name: "<agent>", help: "The agent's id or branch." }],
  options: [{ flags: "--stat", help: "Show only which files changed, and by how many lines." }, JSON_OPTION],
  examples: [
    { run: "banksman diff feat-auth", does: "prints its changes since it left your branch" },
    { run: "banksman diff feat-auth --stat", does: "prints the changed files" },
  ],
  async run({ args: [name = ""], options }, io) {
    const repository = await requireRepository(io);
    const { id, worktree } = await findWorktree(repository, name);
    const folder = temporaryFolder("diff");
    const { predictor } = wireViewer(repository, join(folder, "objects"), io.env);
    try {
      const base = await predictor.commitOf("HEAD");
      if (base === null) throw new Failed({ kind: "repository.unborn" });
      const { commit, changed, skipped } = await predictor.workCommit({ path: worktree, base, skip: [] });
      const colours = io.terminal && !io.env.NO_COLOR && !options.json;
      const diff = await predictor.diff({ base, commit, stat: options.stat === true, colours });
      if (options.json)
        printJson(io, { agent: id, files: changed.map(({ path, how }) => ({ path, how })), skipped, diff });
      else {
        io.out(diff === "" ? `${id} has changed nothing.\n` : diff);
        if (skipped.length > 0)
          io.err(`Not shown: ${skipped.map(onOneLine).join(", ")} (too large, or named like a secret)\n`);
      }
      return OK;
    } finally {
      await predictor.close().finally(() => rmSync(folder, { recursive: true, force: true }));
    }
  },
};
