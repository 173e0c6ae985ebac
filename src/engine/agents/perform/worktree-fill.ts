import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

export const performFill: Performer<"worktree.fill", Pick<Ports, "git">> = async ({ git }, { path }) => {
  await git.fillWorktree(path);
  return { ok: true };
};
