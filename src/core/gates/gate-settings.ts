import type { GatePlan } from "./gate-plan.ts";

/** What the config says about gates: the plan from the commit that work is to land on, the rest from here and now. */
export interface GateSettings {
  readonly plan: GatePlan;
  /** Guarded keys behind the plan that its user has not trusted as they are: then nothing is run. */
  readonly untrusted: readonly string[];
  /** How many checkouts run gates at the same time; null for as many as the machine can take. */
  readonly jobs: number | null;
  readonly retry: number;
  readonly onCommit: boolean;
  readonly combinations: boolean;
  /** Where the plan comes from, and what is strange about that. */
  readonly from: string;
  readonly notes: readonly string[];
}

/** A gate needs about four cores to be fast; more at once only make each other slow. */
export const jobsFor = (cores: number): number => Math.min(8, Math.max(1, Math.floor(cores / 4)));
