import type { Ports } from "../../../ports/ports.ts";
import type { Performer } from "./performer.ts";

export const performDelete: Performer<"branch.delete", Pick<Ports, "git">> = async ({ git }, { branch, at }) => {
  await git.deleteBranch(branch, at);
  return { ok: true };
};
