import type { Assignment } from "../agents/assignment.ts";
import { agentLane, laneAgent } from "../agents/reduce-assignment.ts";
import type { Plans } from "../conflicts/plans.ts";
import type { LaneReader } from "../record/lane.ts";
import type { PublishView } from "../record/publish.ts";
import { type AgentId, SUPERVISOR } from "../text/ids.ts";
import { isBusy } from "./is-busy.ts";
import { type PanePlan, planPanes } from "./layout.ts";
import { SESSION_LANE, type Session } from "./session.ts";

export const sessionOf = (lanes: LaneReader): Session | null => lanes.state(SESSION_LANE);

/** The agents' assignments, in the order they are shown. A supervising model is none of them: it has no branch. */
export const assignmentsOf = (lanes: LaneReader): Assignment[] =>
  everyAssignment(lanes).filter(({ agent }) => agent !== SUPERVISOR);

/** The same, with the supervising model's first where there is one: for what all programs of a session have in common. */
export function everyAssignment(lanes: LaneReader): Assignment[] {
  const found: Assignment[] = [];
  for (const key of lanes.laneKeys()) {
    const agent = laneAgent(key);
    const assignment = agent === null ? null : lanes.state(agentLane(agent));
    if (assignment !== null) found.push(assignment);
  }
  return found.sort((a, b) => a.position - b.position);
}

/**
 * Where a reader's inbox begins. What everybody was told before an agent joined is not in it; of the supervisor's,
 * nothing is that came before the session. The inbox of nobody has broadcasts only for whoever reads its `own`.
 */
export const inboxBegins = (
  view: LaneReader & Pick<PublishView, "entry" | "head">,
  reader: AgentId,
  own = false,
): { readonly joined: number; readonly from: number } => ({
  joined: view.entry(reader)?.joined ?? (own || reader === SUPERVISOR ? 0 : view.head),
  from: reader === SUPERVISOR ? (sessionOf(view)?.after ?? 0) : 0,
});

/** The model in pane 0; null where the console is. */
export const supervisingAssignment = (lanes: LaneReader): Assignment | null => lanes.state(agentLane(SUPERVISOR));

/** The panes this session should have, from what is recorded; none for a headless one. */
export function plannedPanes(lanes: LaneReader): PanePlan[] {
  const arrangement = sessionOf(lanes)?.arrangement ?? null;
  if (arrangement === null) return [];
  const shown = assignmentsOf(lanes).filter(({ terminal, wanted }) => terminal && wanted === "up");
  return planPanes(
    arrangement,
    shown.map(({ agent, branch }) => ({ id: agent, branch })),
  );
}

/** What belongs to open specs that no agent works on: they have an owner, who is not here. */
export function unclaimedSpecs(lanes: LaneReader): Plans[] {
  const owned = Object.entries(sessionOf(lanes)?.owned ?? {});
  if (owned.length === 0) return [];
  const taken = new Set<string>(assignmentsOf(lanes).map(({ branch }) => branch));
  return owned.flatMap(([branch, paths]): Plans[] =>
    taken.has(branch) ? [] : [{ agent: branch as AgentId, files: [], intent: null, owned: paths, absent: true }],
  );
}

/** No session, or one in which no agent is wanted, and nothing is verified or landed: nothing is lost by leaving. */
export function isIdle(lanes: LaneReader): boolean {
  if (isBusy(lanes)) return false;
  const session = sessionOf(lanes);
  return session === null || session.status === "stopped" || assignmentsOf(lanes).length === 0;
}
