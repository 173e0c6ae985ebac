import type { Performer } from "./perform.ts";

export const performFill: Performer<"worktree.fill"> = async ({ git }, { path }) => {
  await git.fillWorktree(path);
  return { ok: true };
};
