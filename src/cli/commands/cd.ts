import { spawnSync } from "node:child_process";
import { type Command, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { findWorktree } from "../session/find-worktree.ts";

export const command: Command = {
  name: "cd",
  summary: "Open a shell in an agent's worktree, or print its path",
  args: [{ name: "<agent>", help: "The agent's id or branch." }],
  examples: [
    { run: "banksman cd feat-auth", does: "opens a shell there; leave it with exit" },
    { run: 'cd "$(banksman cd feat-auth)"', does: "without a terminal on its output, prints the path" },
  ],
  ownSignals: true,
  async run({ args: [name = ""] }, io) {
    const { worktree } = await findWorktree(await requireRepository(io), name);
    if (!io.interactive || !process.stdout.isTTY) {
      io.out(`${worktree}\n`);
      return OK;
    }
    io.err(`A shell in ${worktree}; leave it with exit.\n`);
    return spawnSync(io.env.SHELL || "sh", [], { cwd: worktree, stdio: "inherit", env: io.env }).status ?? OK;
  },
};
