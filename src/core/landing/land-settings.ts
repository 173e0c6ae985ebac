import type { Strategy } from "./landing.ts";

/** What the config says about landing. */
export interface LandSettings {
  readonly mode: "manual" | "auto" | "pr";
  readonly strategy: Strategy;
  /** Null for the branch the session began on, or the one that is checked out. */
  readonly target: string | null;
  readonly batch: number;
  readonly push: boolean;
  /** How often what would send a branch back is run again first. */
  readonly retry: number;
}
