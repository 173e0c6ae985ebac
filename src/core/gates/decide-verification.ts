import type { EffectOf } from "../record/effects.ts";
import type { Step } from "../record/step.ts";
import type { Verification, VerificationEvent } from "./verification.ts";
import { VerificationDraft } from "./verification-draft.ts";
import type { VerificationEffects, VerificationFacts } from "./verification-effects.ts";

type VerificationStep = Step<VerificationEvent, EffectOf<VerificationEffects>>;

/**
 * The newest commit wins: look at what it changes, have its tree and the base's checked, judge, and tell whoever made it.
 * What only a person can settle is one question.
 */
export function decideVerification(before: Verification, facts: VerificationFacts): VerificationStep {
  const draft = new VerificationDraft(before, facts);
  draft.answers();
  draft.settle();
  draft.aim();
  const effects = draft.next();
  return { events: draft.events, changes: draft.changes, says: draft.says, sends: draft.sends, effects };
}
