import type { Performer } from "./perform.ts";

/** Typed as the first prompt. Performed again after a crash it finds by its mark what was typed already. */
export const performBrief: Performer<"agent.brief"> = async ({ living }, { run, brief }) => ({
  ok: true,
  typed: await living.running(run).tell(brief, `brief-${run}`),
});
