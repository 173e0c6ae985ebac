import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { LaneReader } from "../../core/record/lane.ts";
import { assignmentsOf, sessionOf, supervisingAssignment } from "../../core/session/read-session.ts";
import { decideStart } from "../../core/session/session.ts";
import type { Branch } from "../../core/text/ids.ts";
import { type Planned, type Planning, plan } from "./plan.ts";

export type StartAction = Extract<Action, { type: "start" }>;

/** What `start` does: a new session as planned, or the one that is here. */
export type StartPlan = { readonly do: "fresh"; readonly planned: Planned } | { readonly do: "reattach" | "recover" };

/**
 * The decision of `start`, and of `start --dry-run`, which is this and no more. It changes nothing. Rejects with
 * `session.other-branches` where other branches are asked for than the session that is here has.
 */
export async function planStart(planning: Planning, lanes: LaneReader, action: StartAction): Promise<StartPlan> {
  const present = assignmentsOf(lanes);
  const decision = decideStart(sessionOf(lanes), present, action.branches as Branch[], supervisingAssignment(lanes));
  if (decision.do === "refuse") throw new Failed({ kind: "session.other-branches", ...decision });
  if (decision.do !== "fresh") return { do: decision.do };
  const { arrangement } = action;
  const terminal = arrangement !== null;
  const supervised = arrangement === "supervisor";
  return { do: "fresh", planned: await plan(planning, { ...action, terminal, supervised, present }) };
}
