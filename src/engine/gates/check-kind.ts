import { type Check, type CheckEvent, checkLane, isEnded, laneCheck } from "../../core/gates/check.ts";
import { type CheckEffects, type CheckFacts, checkStillWanted, decideCheck } from "../../core/gates/decide-check.ts";
import type { LaneKind } from "../loop/lane-kind.ts";
import { type GateNeeds, performGate } from "./run-gate.ts";

type CheckKind = LaneKind<Check, CheckEvent, CheckEffects, null, CheckFacts>;

/** The lanes `check/<tree>-<plan>`: the gates on one tree. */
export const checkKind = (needs: GateNeeds): CheckKind => ({
  lane(key) {
    const check = laneCheck(key);
    return check === null ? null : checkLane(check);
  },
  observe: async () => null,
  facts: (_, __, settled) => ({ now: needs.clock.now(), settled }),
  decide: decideCheck,
  stillWanted: checkStillWanted,
  performers: { "gate.run": (effect) => performGate(needs, effect) },
  stored({ key }) {
    const now = needs.journal.state(checkLane(key));
    if (now === null || isEnded(now) || now.wantedBy.length === 0) needs.pool.release(key);
  },
});
