import type { Action } from "../../core/actions.ts";
import { Failed } from "../../core/failure.ts";
import { agentLane, type LaneKey, laneAgent, SESSION_LANE } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { Session } from "../../core/session.ts";
import type { House } from "../../engine/house.ts";
import { everyRun, sessionOf } from "../../engine/look.ts";
import { closeSession } from "../../engine/session-panes.ts";
import { named } from "./named.ts";

/** Ends agents, all or some; worktrees, branches and what was recorded stay. Resolves when none of them runs. */
export async function stop(
  house: House,
  { agents }: Extract<Action, { type: "stop" }>,
): Promise<{ stopped: string[] }> {
  const { journal } = house;
  const lanes = await journal.transact((put) => {
    const session = sessionOf(journal);
    if (session === null) throw new Failed({ kind: "session.none" });
    const chosen = agents.length === 0 ? everyRun(journal) : named(everyRun(journal), agents);
    if (agents.length === 0) put(journal.laneChange(SESSION_LANE, { ...session, status: "stopped" } satisfies Session));
    for (const run of chosen) {
      if (run.wanted === "up") put(journal.laneChange(agentLane(run.agent), { ...run, wanted: "down" } satisfies Run));
    }
    return chosen.map(({ agent }) => agentLane(agent));
  });
  for (const lane of lanes) house.wake(lane);
  const down = (lane: LaneKey) =>
    (journal.state<Run>(lane)?.live ?? null) === null && journal.unsettledOf(lane).length === 0;
  await journal.until(() => lanes.every(down));
  if (agents.length === 0) await closeSession(house);
  return { stopped: lanes.flatMap((lane) => laneAgent(lane) ?? []) };
}
