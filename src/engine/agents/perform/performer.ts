import type { AssignmentEffects, AssignmentEffectType } from "../../../core/agents/effects.ts";
import type { EffectOf, OutcomeOf } from "../../../core/record/effects.ts";

/** Carries out one type of effect with the parts of the engine it needs. */
export type Performer<Type extends AssignmentEffectType, Needs> = (
  needs: Needs,
  effect: EffectOf<AssignmentEffects, Type>,
) => Promise<OutcomeOf<AssignmentEffects, Type>>;
