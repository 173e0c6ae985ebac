import type { Lane } from "../record/lane.ts";
import type { LaneKey } from "../text/ids.ts";
import type { InFlight } from "./detect.ts";
import type { Told } from "./foresee.ts";

/** State of the lane `conflicts`: who is at one path with whom, and since when. */
export interface OpenConflicts {
  readonly open: readonly InFlight[];
  /** Predicted conflicts that both have been told of. */
  readonly told: readonly Told[];
}

/** What was found to be so now, with all that is known: it takes the place of what was known before. */
export interface ConflictsFound extends OpenConflicts {
  readonly type: "found";
}

const NONE: OpenConflicts = { open: [], told: [] };

export const CONFLICT_LANE: Lane<OpenConflicts, ConflictsFound> = {
  key: "conflicts" as LaneKey,
  rules: { initial: NONE, read: (stored) => ({ ...NONE, ...(stored as OpenConflicts) }), reduce },
};

function reduce(state: OpenConflicts | null, { open, told }: ConflictsFound): OpenConflicts | null {
  if (state !== null && sameList(state.open, open) && sameTold(state.told, told)) return state;
  return open.length === 0 && told.length === 0 ? null : { open, told };
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

const sameTold = (a: readonly Told[], b: readonly Told[]): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
