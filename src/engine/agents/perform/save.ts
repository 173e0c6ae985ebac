import { sessionOf } from "../../../core/session/read-session.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Recording } from "../../journal/recording.ts";
import type { Performer } from "./performer.ts";

/** A branch that we made goes with its worktree; one that was there before stays. */
export const performSave: Performer<"work.save", Recording & Pick<Ports, "git">> = async (
  { git, clock, journal },
  { path, branch, from, ref },
) => {
  const base = sessionOf(journal)?.base ?? null;
  return { ok: true, saved: await git.save({ path, branch, base, branchStays: from === null, ref, at: clock.now() }) };
};
