import type { AnyEffect, AnyOutcome, EffectId, EffectOf, SettledOf } from "../../core/record/effects.ts";
import type { Lane } from "../../core/record/lane.ts";
import type { Instant, LaneKey } from "../../core/text/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Journal } from "../journal/journal.ts";
import { type LaneKind, perform } from "./lane-kind.ts";

/** Stands around every effect; fault tests end the process here. */
export type Around = (perform: Perform) => Perform;
export type Perform = (effect: AnyEffect, id: EffectId) => Promise<AnyOutcome>;

export interface Ticking {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly around: Around;
  /** How effects went whose outcome is not stored yet: a disk that fails must not have them performed again. */
  readonly outcomes: Map<EffectId, AnyOutcome>;
}

export interface Ticked {
  /** There is more to do at once. */
  readonly more: boolean;
  /** When the lane is to be looked at again, even if nothing wakes it. */
  readonly wakeAt: Instant | null;
}

/** A kind of lane as the loop has it: its types are its own business. */
export interface TickingKind {
  /** Null for a lane of another kind. */
  tick(key: LaneKey): Promise<Ticked> | null;
}

export function tickingKind<State, Event, Effects, Seen, Facts>(
  ticking: Ticking,
  kind: LaneKind<State, Event, Effects, Seen, Facts>,
): TickingKind {
  const carryOut = ticking.around(
    (effect) => perform(kind.performers, effect as EffectOf<Effects>) as Promise<AnyOutcome>,
  );
  return {
    tick(key) {
      const lane = kind.lane(key);
      return lane === null ? null : tickLane(ticking, kind, lane, carryOut);
    },
  };
}

const NOTHING: Ticked = { more: false, wakeAt: null };
const SKIPPED: AnyOutcome = { ok: true, skipped: true };

/**
 * One turn of a lane: perform what was recorded, observe, decide, record. Performing comes first, so that what a crash
 * left undone and what was just decided take the same path.
 */
async function tickLane<State, Event, Effects, Seen, Facts>(
  { journal, clock, outcomes }: Ticking,
  kind: LaneKind<State, Event, Effects, Seen, Facts>,
  lane: Lane<State, Event>,
  carryOut: Perform,
): Promise<Ticked> {
  const before = journal.state(lane);
  const settled: { id: EffectId; effect: AnyEffect; outcome: AnyOutcome }[] = [];
  for (const { id, effect } of journal.unsettledOf(lane.key)) {
    const wanted = kind.stillWanted(effect as EffectOf<Effects>, before);
    const outcome = outcomes.get(id) ?? (wanted ? await carryOut(effect, id) : SKIPPED);
    outcomes.set(id, outcome);
    settled.push({ id, effect, outcome });
  }
  const seen = before === null ? null : { it: await kind.observe(before) };
  let decided: { state: State; facts: Facts } | null = null;
  const ticked = await journal.transact((transaction): Ticked => {
    const now = clock.now();
    for (const { id, outcome } of settled) transaction.put({ row: "effect", settle: id, outcome, at: now });
    // An action may have changed the lane while we looked: decide on what is so now.
    const state = journal.state(lane);
    if (state === null || seen === null) return NOTHING;
    const facts = kind.facts(state, seen.it, settled as unknown as readonly SettledOf<Effects>[]);
    decided = { state, facts };
    const step = kind.decide(state, facts);
    transaction.react(step, now);
    transaction.advance(lane, step.events);
    for (const effect of step.effects as readonly AnyEffect[])
      transaction.put({ row: "effect", put: { id: journal.nextEffect(), lane: lane.key, at: now, effect } });
    return { more: step.effects.length > 0, wakeAt: step.wakeAt ?? null };
  });
  for (const { id } of settled) outcomes.delete(id);
  if (decided !== null) storedBy(kind, decided);
  return ticked;
}

const storedBy = <State, Event, Effects, Seen, Facts>(
  kind: LaneKind<State, Event, Effects, Seen, Facts>,
  { state, facts }: { readonly state: State; readonly facts: Facts },
): void => kind.stored?.(state, facts);
