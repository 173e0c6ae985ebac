import type { Performer } from "./perform.ts";

export const performSave: Performer<"work.save"> = async ({ git, clock }, { path, branch, from, ref }) => {
  const saved = await git.save({ path, branch, from, ref, at: clock.now() });
  return { ok: true, saved };
};
