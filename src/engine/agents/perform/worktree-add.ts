import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

export const performAdd: Performer<"worktree.add", Pick<Ports, "git">> = async ({ git }, { path, branch, from }) => {
  if (from !== null) await git.ensureBranch(branch, from);
  await git.addWorktree(path, branch);
  return { ok: true };
};
