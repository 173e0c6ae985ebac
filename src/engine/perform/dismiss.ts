import type { Performer } from "./perform.ts";

/** Gone when no process of the run is left; how it ended is its exit's to say. */
export const performDismiss: Performer<"agent.dismiss"> = async ({ living, agents }, { run }) => {
  const mine = living.all().find(([, each]) => each.run === run)?.[1];
  if (mine?.process.resting) await mine.process.dismiss();
  await agents.endLeftovers(run);
  return { ok: true };
};
