import { Failed } from "../core/failure.ts";
import { type AgentId, WATCH_LANE } from "../core/ids.ts";
import { newcomer } from "../core/roster.ts";
import type { House } from "./house.ts";
import { registeredIn, targetsOf, type WatchBook } from "./work-targets.ts";

export interface Registration {
  readonly agent: AgentId;
  readonly path: string;
  readonly cli: string | null;
}

/**
 * Looks after the worktree of an agent that we did not start, from now on. Registering it again changes nothing. Rejects
 * with `worktree.foreign` for a folder that is no worktree of this repository.
 */
export async function registerWorktree(house: House, { agent, path, cli }: Registration): Promise<void> {
  const { git, journal, clock } = house;
  const worktree = (await git.worktrees()).find((each) => each.path === path.replace(/\/+$/, "") && !each.missing);
  if (worktree === undefined) throw new Failed({ kind: "worktree.foreign", path });
  await journal.transact((put) => {
    if (targetsOf(journal).some((each) => each.agent === agent && each.worktree === worktree.path)) return;
    const others = registeredIn(journal).filter((each) => each.agent !== agent);
    const registered = [...others, { agent, worktree: worktree.path, head: null }];
    put(journal.laneChange(WATCH_LANE, { registered } satisfies WatchBook));
    if (journal.entry(agent) !== null) return;
    const entry = newcomer(agent, clock.now(), journal.head);
    put({ row: "roster", put: { ...entry, branch: worktree.branch, cli, evidence: "registered" } });
  });
}
