import type { Performer } from "./perform.ts";

export const performRemove: Performer<"worktree.remove"> = async ({ git }, { path, saved }) => {
  await git.removeWorktree(path, saved);
  return { ok: true };
};
