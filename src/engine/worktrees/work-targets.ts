import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import type { AgentId, Branch } from "../../core/text/ids.ts";
import { type RegisteredWorktree, WATCH_LANE } from "../../core/worktrees/registered.ts";
import type { Journal } from "../journal/journal.ts";

/** A worktree that is looked at, and in whose name. */
export interface Target {
  readonly agent: AgentId;
  readonly worktree: string;
  /** Its own; null for an agent that we did not start. */
  readonly branch: Branch | null;
}

export function targetsOf(journal: Journal): Target[] {
  const ready = assignmentsOf(journal).filter((assignment) => assignment.ready && assignment.wanted === "up");
  const own = new Set(ready.map(({ agent }) => agent));
  const others = registeredIn(journal).filter(({ agent }) => !own.has(agent));
  return [...ready, ...others.map((each) => ({ ...each, branch: null }))].map(({ agent, worktree, branch }) => ({
    agent,
    worktree,
    branch,
  }));
}

export const registeredIn = (journal: Journal): readonly RegisteredWorktree[] =>
  journal.state(WATCH_LANE)?.registered ?? [];

/** Shown with the agent as long as it is so. */
export async function setWatchWarning(journal: Journal, agent: AgentId, warning: string | null): Promise<void> {
  const lane = agentLane(agent);
  const assignment = journal.state(lane);
  if (assignment === null || assignment.watchWarning === warning) return;
  await journal.transact((transaction) => transaction.send(lane, { type: "watch.warned", warning }));
}
