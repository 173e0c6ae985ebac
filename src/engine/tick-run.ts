import type { Change } from "../core/changes.ts";
import { decideRun, type RunFacts } from "../core/decide-run.ts";
import type { Effect, EffectId, Outcome, Settled } from "../core/effects.ts";
import { type Instant, type LaneKey, laneAgent } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import { stillWanted } from "../core/still-wanted.ts";
import type { House } from "./house.ts";
import { observeRun, runFacts } from "./observe-run.ts";

export type Perform = (effect: Effect, id: EffectId) => Promise<Outcome>;

/**
 * One turn of an agent's lane: perform what was recorded, observe, decide, record. Performing comes first, so that what
 * a crash left undone and what was just decided take the same path. True when there is more to do.
 */
export async function tickRun(house: House, perform: Perform, lane: LaneKey): Promise<boolean> {
  const { journal, living, clock } = house;
  const settled: Settled[] = [];
  const before = journal.state<Run>(lane);
  for (const { id, effect } of journal.unsettledOf(lane)) {
    const outcome = house.outcomes.get(id) ?? (stillWanted(effect, before) ? await perform(effect, id) : SKIPPED);
    house.outcomes.set(id, outcome);
    settled.push({ id, effect, outcome });
  }

  const seen = before === null ? null : await observeRun(house, before);
  let facts: RunFacts | null = null;
  const more = await journal.transact((put) => {
    for (const each of settled) put(settlement(each, clock.now()));
    // An action may have changed the lane while we looked: decide on what is so now.
    const run = journal.state<Run>(lane);
    if (run === null || seen === null) return false;
    facts = runFacts(house, run, seen, settled);
    const step = decideRun(run, facts);
    for (const change of step.changes) put(change);
    if (step.state !== run) put(journal.laneChange(lane, step.state));
    for (const effect of step.effects) {
      put({ row: "effect", put: { id: journal.nextEffect(), lane, at: facts.now, effect } });
    }
    return step.effects.length > 0;
  });
  for (const { id } of settled) house.outcomes.delete(id);
  if (facts !== null) fold(living, lane, facts);
  return more;
}

const SKIPPED: Outcome = { ok: true, skipped: true };

/** Only once it is stored that it was heard. */
function fold(living: House["living"], lane: LaneKey, { events, exit }: RunFacts): void {
  const agent = laneAgent(lane);
  if (agent !== null) living.fold(agent, events, exit);
}

const settlement = ({ id, outcome }: Settled, at: Instant): Change => ({ row: "effect", settle: id, outcome, at });
