import type { Change } from "./changes.ts";
import type { Effect } from "./effects.ts";

/**
 * A decision: the next state, what else to write down, and what to do once it is written. It is recorded whole before
 * any of its effects is performed. A null state ends the lane.
 */
export interface Step<State> {
  readonly state: State | null;
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}
