import { type ConflictsFacts, decideConflicts } from "../../core/conflicts/decide-conflicts.ts";
import { CONFLICT_LANE, type ConflictsFound, type OpenConflicts } from "../../core/conflicts/open-conflicts.ts";
import { sessionOf } from "../../core/session/read-session.ts";
import type { Recording } from "../journal/recording.ts";
import type { LaneKind } from "../loop/lane-kind.ts";
import type { CurrentPredictions, PredictionKeeper } from "./keep-predictions.ts";

type ConflictsKind = LaneKind<OpenConflicts, ConflictsFound, Record<never, never>, null, ConflictsFacts>;

interface Needs extends Recording {
  readonly predictions: Pick<PredictionKeeper, "current">;
}

/** The lane `conflicts`: woken by news of the agents, by new predictions, and when something has lasted too long. */
export function conflictsKind({ journal, clock, predictions }: Needs): ConflictsKind {
  let taken: CurrentPredictions | null = null;
  return {
    lane: (key) => (key === CONFLICT_LANE.key ? CONFLICT_LANE : null),
    observe: async () => null,
    facts: () => {
      const current = predictions.current();
      const settings = sessionOf(journal)?.conflicts ?? null;
      // Older ones say nothing of what has happened since they were made.
      return {
        now: clock.now(),
        view: journal,
        settings,
        predictions: current === taken ? null : (current?.facts ?? null),
      };
    },
    decide: decideConflicts,
    stillWanted: () => true,
    performers: {},
    stored() {
      taken = predictions.current();
    },
  };
}
