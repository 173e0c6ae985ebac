import { laneVerification, verificationLane } from "../gates/verification.ts";
import { LAND_LANE } from "../landing/reduce-landing.ts";
import type { LaneReader } from "../record/lane.ts";

/**
 * Something lands, or somebody waits for a verdict: the supervisor is needed, with or without agents. What is verified
 * because an agent has committed, or is only foreseen, can wait for the next start.
 */
export function isBusy(lanes: LaneReader): boolean {
  if ((lanes.state(LAND_LANE)?.since ?? null) !== null) return true;
  for (const key of lanes.laneKeys()) {
    const name = laneVerification(key);
    const verification = name === null ? null : lanes.state(verificationLane(name));
    if (verification?.wanted?.awaited === true && verification.judged === null) return true;
  }
  return false;
}
