import type { Action } from "../../core/actions.ts";
import { Failed } from "../../core/failure.ts";
import { agentLane, SESSION_LANE } from "../../core/ids.ts";
import type { Run } from "../../core/run.ts";
import type { Session } from "../../core/session.ts";
import type { House } from "../../engine/house.ts";
import { everyRun, runsOf, sessionOf } from "../../engine/look.ts";
import { named } from "./named.ts";

/** Nothing more is told to agents, or they are told again; what was said meanwhile waits in their inboxes. */
export async function pause(
  house: House,
  action: Extract<Action, { type: "pause" | "resume" }>,
): Promise<{ agents: string[]; untilCommit?: string }> {
  const { journal } = house;
  const { type, agents } = action;
  const paused = type === "pause";
  const until = type === "pause" && action.untilCommit !== null ? action.untilCommit : null;
  const [other] = until === null ? [] : named(runsOf(journal), [until]);
  const pausedUntil = other?.agent ?? null;
  const chosen = await journal.transact((put) => {
    const session = sessionOf(journal);
    if (session === null) throw new Failed({ kind: "session.none" });
    if (session.status === "stopped") throw new Failed({ kind: "session.not-running" });
    const chosen = agents.length === 0 ? everyRun(journal) : named(everyRun(journal), agents);
    const runs = chosen.filter(({ agent }) => agent !== pausedUntil);
    if (pausedUntil !== null && runs.length === 0)
      throw new Failed({
        kind: "usage",
        message: `${pausedUntil} cannot wait for its own commit.`,
        hint: `Name who is to wait: \`banksman pause <agent> --until-commit ${pausedUntil}\`.`,
      });
    if ((agents.length === 0 && pausedUntil === null) || !paused)
      put(journal.laneChange(SESSION_LANE, { ...session, status: paused ? "paused" : "active" } satisfies Session));
    for (const run of runs)
      put(journal.laneChange(agentLane(run.agent), { ...run, paused, pausedUntil } satisfies Run));
    return runs;
  });
  for (const { agent } of chosen) house.wake(agentLane(agent));
  return { agents: chosen.map(({ agent }) => agent), ...(pausedUntil !== null && { untilCommit: pausedUntil }) };
}
