import type { Base } from "../../core/gates/check.ts";
import {
  COMBINATIONS_LANE,
  type CombinationEvent,
  type Combinations,
  type Work,
} from "../../core/gates/combinations.ts";
import {
  COMBINATION_RANK,
  type CombinationEffects,
  type CombinationFacts,
  decideCombinations,
} from "../../core/gates/decide-combinations.ts";
import { planHash } from "../../core/gates/gate-plan.ts";
import type { EffectOf, OutcomeOf } from "../../core/record/effects.ts";
import type { Instant } from "../../core/text/ids.ts";
import type { Predictor } from "../../ports/predictor.ts";
import type { Recording } from "../journal/recording.ts";
import type { LaneKind } from "../loop/lane-kind.ts";
import { type Inspecting, requireGates } from "./inspect-work.ts";
import type { SlotPool } from "./slot-pool.ts";

export interface Combining extends Recording, Pick<Inspecting, "gates" | "place"> {
  readonly predictor: Pick<Predictor, "combine">;
  readonly pool: Pick<SlotPool, "idle" | "isPressed">;
  /** Everybody's present work, and when it was last looked at; null where there is none to put together. */
  work(): { readonly base: Base; readonly work: readonly Work[]; readonly at: Instant } | null;
  readonly restMs: number;
}

type Seen = CombinationFacts["present"];
type CombinationsKind = LaneKind<Combinations, CombinationEvent, CombinationEffects, Seen, CombinationFacts>;

/** The lane `combinations`: woken when work or the slots have changed. */
export function combinationsKind(needs: Combining): CombinationsKind {
  const { journal, clock, pool, restMs } = needs;
  // Commits of uncommitted work are gone with the supervisor that made them.
  const life = clock.now();
  return {
    lane: (key) => (key === COMBINATIONS_LANE.key ? COMBINATIONS_LANE : null),
    async observe() {
      const present = needs.work();
      if (present === null || present.work.length < 2) return null;
      // Without gates, or with some that nobody has trusted, nothing can be foreseen either.
      const settings = await needs.gates(present.base).catch(() => null);
      const usable = settings !== null && settings.untrusted.length === 0 && settings.plan.commands.length > 0;
      return usable && settings.combinations ? present : null;
    },
    facts: (_, present, settled) => ({
      now: clock.now(),
      view: journal,
      settled,
      life,
      present,
      idle: pool.idle,
      pressed: pool.isPressed(COMBINATION_RANK),
      restMs,
    }),
    decide: decideCombinations,
    stillWanted: (effect, state) => effect.life === life && state?.round?.life === life,
    performers: { "work.combine": (effect) => combine(needs, effect) },
  };
}

async function combine(
  needs: Combining,
  { base, work }: EffectOf<CombinationEffects, "work.combine">,
): Promise<OutcomeOf<CombinationEffects, "work.combine">> {
  const { predictor, place } = needs;
  const { plan } = await requireGates(needs, base);
  const { commit, tree, left } = await predictor.combine({
    onto: base.commit,
    commits: work.map((each) => each.commit),
  });
  const agents = left.flatMap((i) => work[i]?.agent ?? []);
  return { ok: true, commit, tree, left: agents, plan, planHash: planHash(plan, place.env, place.tools) };
}
