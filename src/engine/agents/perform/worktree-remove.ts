import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

export const performRemove: Performer<"worktree.remove", Pick<Ports, "git">> = async ({ git }, { path, saved }) => {
  await git.removeWorktree(path, saved);
  return { ok: true };
};
