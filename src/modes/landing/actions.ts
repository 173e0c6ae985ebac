import { createTurns } from "../../async/turns.ts";
import type { Action } from "../../core/actions/actions.ts";
import type { LandingAction } from "../../core/actions/landing-actions.ts";
import type { Identity } from "../../core/messages/roles.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";
import { cancelLanding, land } from "./land.ts";
import { landedOf } from "./landed-of.ts";
import { undoLanding } from "./undo.ts";
import { verify } from "./verify.ts";

type LandingActions = {
  readonly [Type in LandingAction["type"]]: (action: Extract<Action, { type: Type }>, by: Identity) => Promise<unknown>;
};

/** What is done when somebody asks for verifying or landing. Requests follow each other. */
export function landingActions(context: EngineContext): LandingActions {
  const turns = createTurns();
  const branchOf = (agent: AgentId) =>
    assignmentsOf(context.journal).find((each) => each.agent === agent)?.branch ?? null;
  const needs = { ...context, branchOf, landed: () => landedOf(context) };
  return {
    verify: (action) => turns(() => verify(context, action)),
    land: (action) => turns(() => land(needs, action)),
    "land-cancel": () => turns(() => cancelLanding(context)),
    "land-undo": (action) => turns(() => undoLanding(needs, action)),
  };
}
