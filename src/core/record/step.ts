import type { Instant, LaneKey } from "../text/ids.ts";
import type { Change } from "./changes.ts";
import type { Sent } from "./lane.ts";
import type { Saying } from "./publish.ts";

/** What follows from something that happened, recorded in the same commit: messages, other rows, events for lanes. */
export interface Reaction {
  readonly says?: readonly Saying[];
  readonly changes?: readonly Change[];
  readonly sends?: readonly Sent[];
  /** Lanes that should look again, although no event was sent to them. */
  readonly wakes?: readonly LaneKey[];
}

/**
 * A lane's decision: events for its own state, what follows from them, and what to do once all of it is written. It is
 * recorded whole before any of its effects is performed.
 */
export interface Step<Event, Effect> extends Reaction {
  readonly events: readonly Event[];
  readonly effects: readonly Effect[];
  /** When the lane is to be looked at again, even if nothing wakes it. */
  readonly wakeAt?: Instant | null;
}
