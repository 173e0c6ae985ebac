import type { Action } from "../../core/actions/actions.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { assignmentsOf, everyAssignment, sessionOf } from "../../core/session/read-session.ts";
import { SESSION_LANE } from "../../core/session/session.ts";
import type { EngineContext } from "../../engine/context.ts";
import { named } from "./named.ts";

/** Nothing more is told to agents, or they are told again; what was said meanwhile waits in their inboxes. */
export async function pause(
  { journal }: Pick<EngineContext, "journal">,
  action: Extract<Action, { type: "pause" | "resume" }>,
): Promise<{ agents: string[]; untilCommit?: string }> {
  const { type, agents } = action;
  const paused = type === "pause";
  const until = type === "pause" && action.untilCommit !== null ? action.untilCommit : null;
  const [other] = until === null ? [] : named(assignmentsOf(journal), [until]);
  const pausedUntil = other?.agent ?? null;
  const chosen = await journal.transact((transaction) => {
    const session = sessionOf(journal);
    if (session === null) throw new Failed({ kind: "session.none" });
    if (session.status === "stopped") throw new Failed({ kind: "session.not-running" });
    const chosen = agents.length === 0 ? everyAssignment(journal) : named(everyAssignment(journal), agents);
    const assignments = chosen.filter(({ agent }) => agent !== pausedUntil);
    if (pausedUntil !== null && assignments.length === 0)
      throw new Failed({
        kind: "usage",
        message: `${pausedUntil} cannot wait for its own commit.`,
        hint: `Name who is to wait: \`banksman pause <agent> --until-commit ${pausedUntil}\`.`,
      });
    if ((agents.length === 0 && pausedUntil === null) || !paused)
      transaction.send(SESSION_LANE, { type: "status", status: paused ? "paused" : "active" });
    for (const assignment of assignments)
      transaction.send(
        agentLane(assignment.agent),
        paused ? { type: "paused", until: pausedUntil } : { type: "resumed" },
      );
    return assignments;
  });
  return { agents: chosen.map(({ agent }) => agent), ...(pausedUntil !== null && { untilCommit: pausedUntil }) };
}
