import { Failed } from "../../../core/failure/failed.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

/**
 * Only what holds no work: a worktree with nothing but what a checkout has begun, a branch still at its starting point.
 * Where there is anything else it stays, and the next start goes on with it.
 */
export const performUndo: Performer<"worktree.undo", Pick<Ports, "git">> = async ({ git }, { path, branch, from }) => {
  const isGone = await removed(git, path);
  if (isGone && branch !== null && from !== null && (await git.branches()).get(branch) === from)
    await git.deleteBranch(branch, from);
  return { ok: true };
};

/** False where a worktree stays; a folder that is none is not ours, and no reason to keep the branch. */
async function removed(git: Ports["git"], path: string): Promise<boolean> {
  try {
    await git.removeWorktree(path, null);
    return true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return (await git.worktrees()).every((each) => each.path !== path);
  }
}
