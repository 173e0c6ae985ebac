import type { AnyOutcome, EffectId } from "../../src/core/record/effects.ts";
import type { Perform } from "../../src/engine/loop/tick-lane.ts";
import type { SimulatedWorld } from "./world.ts";

/** The process dies at the n-th effect: before it is done, or after, before that is written down. */
export function dying(
  world: SimulatedWorld,
  n: number,
  moment: "before" | "after",
  died: () => void,
): (perform: Perform) => Perform {
  let count = 0;
  const never = new Promise<AnyOutcome>(() => {});
  return (perform) => async (effect, id: EffectId) => {
    if (++count !== n) return count > n ? never : perform(effect, id);
    if (moment === "after") await perform(effect, id);
    world.kill();
    died();
    return never;
  };
}
