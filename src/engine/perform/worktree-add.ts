import type { Performer } from "./perform.ts";

export const performAdd: Performer<"worktree.add"> = async ({ git }, { path, branch, from }) => {
  if (from !== null) await git.ensureBranch(branch, from);
  await git.addWorktree(path, branch);
  return { ok: true };
};
