import type { SettledOf } from "../record/effects.ts";
import type { JournalView } from "../record/journal-view.ts";
import type { Branch, Commit, Instant } from "../text/ids.ts";
import type { GatePlan } from "./gate-plan.ts";
import type { Gate } from "./gates.ts";
import type { Review } from "./governance/review.ts";
import type { Inspection } from "./inspection.ts";

/** What a verification asks of the engine. */
export interface VerificationEffects {
  "work.inspect": {
    asks: { readonly ref: string; readonly base: Branch; readonly baseCommit: Commit; readonly commit: Commit };
    gives: {
      readonly inspection: Inspection;
      readonly plan: GatePlan;
      readonly planHash: string;
      readonly notes: readonly string[];
    };
  };
  /** Holds the work against the documents of its base. */
  "work.review": {
    asks: {
      readonly ref: string;
      readonly commit: Commit;
      readonly baseCommit: Commit;
      readonly inspection: Inspection;
      readonly plan: GatePlan;
      readonly passed: readonly Gate[];
      readonly failed: readonly Gate[];
    };
    gives: { readonly review: Review };
  };
}

export interface VerificationFacts {
  readonly now: Instant;
  readonly view: JournalView;
  readonly settled: readonly SettledOf<VerificationEffects>[];
  /** Where the ref and the base are now; null where there is none of that name. */
  readonly commit: Commit | null;
  readonly base: Commit | null;
}
