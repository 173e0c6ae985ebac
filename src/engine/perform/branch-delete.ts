import type { Performer } from "./perform.ts";

export const performDelete: Performer<"branch.delete"> = async ({ git }, { branch, at }) => {
  await git.deleteBranch(branch, at);
  return { ok: true };
};
