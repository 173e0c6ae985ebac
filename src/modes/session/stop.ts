import type { Action } from "../../core/actions/actions.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { everyAssignment, sessionOf } from "../../core/session/read-session.ts";
import { SESSION_LANE } from "../../core/session/session.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";
import { closeSession } from "../../engine/session/session-panes.ts";
import { named } from "./named.ts";

/** Ends agents, all or some; worktrees, branches and what was recorded stay. Resolves when none of them runs. */
export async function stop(
  context: Pick<EngineContext, "journal" | "tmux" | "place">,
  { agents }: Extract<Action, { type: "stop" }>,
): Promise<{ stopped: string[]; finished: string[] }> {
  const { journal } = context;
  const stopped = await journal.transact((transaction) => {
    const session = sessionOf(journal);
    if (session === null) throw new Failed({ kind: "session.none" });
    const chosen = agents.length === 0 ? everyAssignment(journal) : named(everyAssignment(journal), agents);
    if (agents.length === 0) transaction.send(SESSION_LANE, { type: "status", status: "stopped" });
    for (const { agent, wanted } of chosen)
      if (wanted === "up") transaction.send(agentLane(agent), { type: "wanted.down" });
    return chosen.map(({ agent }) => agent);
  });
  const isDown = (agent: AgentId) => {
    const lane = agentLane(agent);
    return (journal.state(lane)?.live ?? null) === null && journal.unsettledOf(lane.key).length === 0;
  };
  await journal.until(() => stopped.every(isDown));
  if (agents.length === 0) await closeSession(context);
  const finished = stopped.filter((agent) => journal.state(agentLane(agent))?.ended?.how === "ok");
  return { stopped, finished };
}
