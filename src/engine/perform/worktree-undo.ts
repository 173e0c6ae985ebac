import type { Performer } from "./perform.ts";

/** Only what never held anything: a worktree without a finished checkout, a branch still at its starting point. */
export const performUndo: Performer<"worktree.undo"> = async ({ git }, { path, branch, from }) => {
  if ((await git.worktreeState(path)) === "empty") await git.removeWorktree(path, null);
  if (branch !== null && from !== null && (await git.branches()).get(branch) === from)
    await git.deleteBranch(branch, from);
  return { ok: true };
};
