import type { CheckKey } from "../../core/gates/check.ts";
import type { Gate } from "../../core/gates/gates.ts";
import { type Live, type VerificationView, viewVerification } from "../../core/gates/view.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { type LandingView, viewLanding } from "../../core/landing/view.ts";
import { gateLog } from "../gates/run-gate.ts";
import type { SlotPool } from "../gates/slot-pool.ts";
import type { Recording } from "../journal/recording.ts";
import type { Place } from "../loop/place.ts";

interface Needs extends Recording {
  readonly pool: SlotPool;
  readonly place: Pick<Place, "state">;
}

/** What is known of a branch, with the gate that runs now; null where nobody has asked. */
export const viewBranch = (needs: Needs, name: string): VerificationView | null =>
  viewVerification(needs.journal, name, liveIn(needs));

export const viewQueue = (needs: Needs): LandingView => {
  const { runs } = liveIn(needs);
  const state =
    needs.journal.state(LAND_LANE) ?? (LAND_LANE.rules.initial as NonNullable<typeof LAND_LANE.rules.initial>);
  return viewLanding(state, needs.clock.now(), (check) => runs(check as CheckKey));
};

const liveIn = ({ pool, clock, place }: Needs): Live => ({
  runs(check) {
    const running = pool.runs(check);
    if (running === null) return null;
    const { gate, since, line } = running;
    return { gate, seconds: (clock.now() - since) / 1000, line };
  },
  log: (check, gate: Gate) => gateLog(place.state, check.tree, gate),
});
