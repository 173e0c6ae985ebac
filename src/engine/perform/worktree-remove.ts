import type { Performer } from "./perform.ts";

export const performRemove: Performer<"worktree.remove"> = async ({ git }, { path }) => {
  await git.removeWorktree(path);
  return { ok: true };
};
