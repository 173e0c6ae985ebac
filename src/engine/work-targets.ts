import { type AgentId, agentLane, type Branch, type Commit, WATCH_LANE } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { runsOf } from "./look.ts";

/** A worktree that is looked at, and in whose name. */
export interface Target {
  readonly agent: AgentId;
  readonly worktree: string;
  /** Its own; null for an agent that we did not start. */
  readonly branch: Branch | null;
}

/** State of the lane `watch`: worktrees of agents that we did not start, and the last commit that was told. */
export interface WatchBook {
  readonly registered: readonly Registered[];
}

export interface Registered {
  readonly agent: AgentId;
  readonly worktree: string;
  readonly head: Commit | null;
}

export function targetsOf(journal: Journal): Target[] {
  const runs = runsOf(journal).filter(({ ready, wanted }) => ready && wanted === "up");
  const own = new Set(runs.map(({ agent }) => agent));
  const others = registeredIn(journal).filter(({ agent }) => !own.has(agent));
  return [...runs, ...others.map((each) => ({ ...each, branch: null }))].map(({ agent, worktree, branch }) => ({
    agent,
    worktree,
    branch,
  }));
}

export const registeredIn = (journal: Journal): readonly Registered[] =>
  journal.state<WatchBook>(WATCH_LANE)?.registered ?? [];

/** Shown with the agent as long as it is so. */
export async function setWatchWarning({ journal }: House, agent: AgentId, warning: string | null): Promise<void> {
  const lane = agentLane(agent);
  const isSo = (run: Run | null) => run === null || (run.watchWarning ?? null) === warning;
  if (isSo(journal.state<Run>(lane))) return;
  await journal.transact((put) => {
    const run = journal.state<Run>(lane);
    if (run !== null && !isSo(run)) put(journal.laneChange(lane, { ...run, watchWarning: warning } satisfies Run));
  });
}
