import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

export const performMend: Performer<"worktree.mend", Pick<Ports, "git">> = async ({ git }, { type: _, ...order }) => ({
  ok: true,
  warnings: await git.mendWorktree(order),
});
