import type { LaneKey } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Journal } from "./journal.ts";

/** Whoever records something: the journal, and the time it happened at. */
export interface Recording extends Pick<Ports, "clock"> {
  readonly journal: Journal;
}

/** Whoever has seen something that a lane should look at. */
export interface Waking {
  wake(lane: LaneKey): void;
}
