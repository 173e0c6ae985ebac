import type { Performer } from "./perform.ts";

/** Ended when no process of the run is left, whether it was our child or a leftover. */
export const performEnd: Performer<"agent.end"> = async (house, { run }) => {
  const { living, agents } = house;
  const mine = living.all().find(([, each]) => each.run === run)?.[1];
  if (mine !== undefined) await mine.process.end();
  if (mine?.process.pane) await house.arrange();
  await agents.endLeftovers(run);
  return { ok: true };
};
