import type { EffectOf, SettledOf } from "../record/effects.ts";
import type { Step } from "../record/step.ts";
import type { Commit, Instant } from "../text/ids.ts";
import {
  type Base,
  type Check,
  type CheckEvent,
  type CheckKey,
  checkLane,
  isEnded,
  nextGate,
  type SetUpReport,
} from "./check.ts";
import type { GatePlan } from "./gate-plan.ts";
import type { GateResult } from "./gate-result.ts";
import type { Gate } from "./gates.ts";

/** What a check asks of the engine. */
export interface CheckEffects {
  "gate.run": {
    asks: {
      readonly check: CheckKey;
      readonly commit: Commit;
      readonly tree: string;
      readonly base: Base;
      readonly gate: Gate;
      readonly command: string;
      readonly plan: GatePlan;
    };
    /** `result` is null where nobody wanted it any more while it ran. */
    gives: { readonly result: GateResult | null; readonly setUp: SetUpReport | null };
  };
}

export interface CheckFacts {
  readonly now: Instant;
  readonly settled: readonly SettledOf<CheckEffects>[];
}

/** Gate after gate, as long as somebody waits for it; who waits is woken when it has ended. */
export function decideCheck(check: Check, { now, settled }: CheckFacts): Step<CheckEvent, EffectOf<CheckEffects>> {
  const events = settled.flatMap(({ outcome }) => eventsOf(outcome, now));
  const { rules } = checkLane(check.key);
  const after = events.reduce<Check>((state, event) => rules.reduce(state, event) ?? state, check);
  const wakes = isEnded(after) ? after.wantedBy.map(({ lane }) => lane) : [];
  const gate = after.wantedBy.length === 0 ? null : nextGate(after);
  if (gate === null) return { events, effects: [], wakes };
  const { key, commit, tree, base, plan } = after;
  const command = plan.commands.find((each) => each.gate === gate)?.command ?? "false";
  return { events, effects: [{ type: "gate.run", check: key, commit, tree, base, gate, command, plan }], wakes };
}

function eventsOf(outcome: SettledOf<CheckEffects>["outcome"], at: Instant): CheckEvent[] {
  if (!outcome.ok) return [{ type: "troubled", failure: outcome.failure, at }];
  if (outcome.skipped || outcome.result === null) return [];
  return [{ type: "ran", result: outcome.result, setUp: outcome.setUp, at }];
}

/** What ran while a crash came is run again as long as somebody waits for it. */
export const checkStillWanted = (effect: EffectOf<CheckEffects>, check: Check | null): boolean =>
  check !== null && check.wantedBy.length > 0 && nextGate(check) === effect.gate;
