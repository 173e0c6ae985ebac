import type { ActionFields } from "./action-fields.ts";

/** What can be asked about verifying and landing, whoever made the work. */
export type LandingAction =
  /** Agents, branches or other refs; all agents, naming none. `fresh`: run again what is known. */
  | { readonly type: "verify"; readonly refs: readonly string[]; readonly fresh: boolean }
  /** Branches, or the agents they are of; all agents that are ready, naming none. `dryRun`: only say in which order. */
  | { readonly type: "land"; readonly branches: readonly string[]; readonly dryRun: boolean }
  /** What is under way is let go of; what has landed stays. */
  | { readonly type: "land-cancel" }
  /** Lands a commit that takes back what a branch has landed. */
  | { readonly type: "land-undo"; readonly branch: string };

export const LANDING_ACTIONS: {
  readonly [Type in LandingAction["type"]]: (
    fields: ActionFields,
  ) => Omit<Extract<LandingAction, { type: Type }>, "type">;
} = {
  verify: (fields) => ({ refs: fields.texts("refs"), fresh: fields.flag("fresh") }),
  land: (fields) => ({ branches: fields.texts("branches"), dryRun: fields.flag("dryRun") }),
  "land-cancel": () => ({}),
  "land-undo": (fields) => ({ branch: fields.text("branch") }),
};
