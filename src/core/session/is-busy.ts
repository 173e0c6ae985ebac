import { checkLane, isEnded, laneCheck } from "../gates/check.ts";
import { laneVerification, verificationLane } from "../gates/verification.ts";
import { LAND_LANE } from "../landing/landing.ts";
import type { LaneReader } from "../record/lane.ts";

/** Something is being verified or landed: the supervisor is needed, with or without agents. */
export function isBusy(lanes: LaneReader): boolean {
  if ((lanes.state(LAND_LANE)?.since ?? null) !== null) return true;
  for (const key of lanes.laneKeys()) {
    const check = laneCheck(key);
    const state = check === null ? null : lanes.state(checkLane(check));
    if (state !== null && state.wantedBy.length > 0 && !isEnded(state)) return true;
    const name = laneVerification(key);
    const verification = name === null ? null : lanes.state(verificationLane(name));
    if (verification !== null && verification.wanted !== null && verification.judged === null) return true;
  }
  return false;
}
