import { Failed } from "../../core/failure/failed.ts";
import type { EffectOf, OutcomeOf, SettledOf } from "../../core/record/effects.ts";
import type { Lane } from "../../core/record/lane.ts";
import type { Step } from "../../core/record/step.ts";
import type { LaneKey } from "../../core/text/ids.ts";

/**
 * A kind of lane, as a mode registers it. The loop does the same for every kind: perform what was recorded, observe,
 * decide, record. How the state reads and changes is in the lane's rules; `decide` and `stillWanted` are pure and in core.
 */
export interface LaneKind<State, Event, Effects, Seen, Facts> {
  /** The lane with this key; null where it is of another kind. */
  lane(key: LaneKey): Lane<State, Event> | null;
  /** What has to be looked at outside: it takes time, and is done before deciding. */
  observe(state: State): Promise<Seen>;
  /** What was seen, with what memory holds at this very moment: called inside the transaction that decides on it. */
  facts(state: State, seen: Seen, settled: readonly SettledOf<Effects>[]): Facts;
  decide(state: State, facts: Facts): Step<Event, EffectOf<Effects>>;
  /** Whether an effect that was recorded earlier is still worth performing. */
  stillWanted(effect: EffectOf<Effects>, state: State | null): boolean;
  readonly performers: Performers<Effects>;
  /** Called once it is stored that these facts were taken in. */
  stored?(state: State, facts: Facts): void;
}

/** Each carries out one type of effect, as often as asked; it may reject with `Failed`. */
export type Performers<Effects> = {
  readonly [Type in keyof Effects]: (effect: EffectOf<Effects, Type>) => Promise<OutcomeOf<Effects, Type>>;
};

/** Carries an effect out. It never rejects: what went wrong is part of the outcome, and is decided upon. */
export async function perform<Effects, Type extends keyof Effects>(
  performers: Performers<Effects>,
  effect: EffectOf<Effects, Type>,
): Promise<OutcomeOf<Effects, Type>> {
  try {
    return await performers[effect.type](effect);
  } catch (error) {
    if (error instanceof Failed) return { ok: false, failure: error.failure };
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ok: false, failure: { kind: "internal", detail } };
  }
}
