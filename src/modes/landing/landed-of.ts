import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { LandedBranch } from "../../engine/gates/inspect-work.ts";

/** What has landed lately, as whoever inspects a branch has to know it. */
export const landedOf = ({ journal }: Pick<EngineContext, "journal">): LandedBranch[] =>
  (journal.state(LAND_LANE)?.landed ?? []).map(({ branch, from, before, to }) => ({ branch, tip: from, before, to }));
