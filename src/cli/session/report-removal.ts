import type { RemoveResult } from "../../modes/session/remove.ts";
import type { Io } from "../command.ts";

/** What went, what was saved, what stayed and why. */
export function reportRemoval(io: Io, { removed, kept }: RemoveResult): void {
  for (const { agent, backup, removesWorktree } of removed) {
    const what = removesWorktree ? "removed" : "forgotten; its worktree was there before and stays";
    io.out(`${agent}: ${what}${backup === null ? "" : `, saved as ${backup}`}\n`);
  }
  for (const { agent, why } of kept) io.err(`${agent}: kept. ${why}\n`);
  if (removed.some(({ backup }) => backup !== null))
    io.out("`banksman restore list` shows what can be brought back.\n");
}
