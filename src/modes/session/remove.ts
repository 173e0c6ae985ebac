import type { Action } from "../../core/actions.ts";
import { explain } from "../../core/explain.ts";
import { Failed } from "../../core/failure.ts";
import { agentLane, SESSION_LANE, SUPERVISOR } from "../../core/ids.ts";
import { leaving, type PurgeEntry, purgeEntry } from "../../core/purge.ts";
import type { Run } from "../../core/run.ts";
import type { StaleResult } from "../../core/stale.ts";
import type { House } from "../../engine/house.ts";
import { everyRun, runsOf, sessionOf } from "../../engine/look.ts";
import { closeSession } from "../../engine/session-panes.ts";
import { named } from "./named.ts";
import { purgeStale } from "./purge-stale.ts";

export interface RemoveResult {
  readonly removed: readonly PurgeEntry[];
  /** What stayed, and why. */
  readonly kept: readonly { readonly agent: string; readonly why: string }[];
}

/** Takes agents out of the session. Without `force`, work that is nowhere else keeps its agent here. */
export async function remove(house: House, action: Extract<Action, { type: "remove" }>): Promise<RemoveResult> {
  if (sessionOf(house.journal) === null) throw new Failed({ kind: "session.none" });
  const runs = named(runsOf(house.journal), action.agents);
  if (!action.force && !action.keepWorktree) {
    for (const { agent, files, commits } of await entries(house, runs)) {
      if (files + commits > 0) throw new Failed({ kind: "worktree.unsaved", agent, files, commits });
    }
  }
  // What is kept is kept for its user.
  if (action.keepWorktree) for (const { worktree } of runs) await house.git.releaseWorktree(worktree);
  return takeOut(house, runs, action.keepWorktree);
}

/** What `purge` would do to each agent (`look`), or doing it: everything saved first, then the session forgotten. */
export async function purge(
  house: House,
  { look, stale }: Extract<Action, { type: "purge" }>,
): Promise<RemoveResult | StaleResult> {
  if (stale) return purgeStale(house, look);
  const { journal, files, place } = house;
  if (sessionOf(journal) === null) throw new Failed({ kind: "session.none" });
  if (look) return { removed: await entries(house, runsOf(journal)), kept: [] };
  const result = await takeOut(house, everyRun(journal), false);
  if (runsOf(journal).length > 0) return result;
  await closeSession(house);
  await files.remove(`${place.root}/.banksman/logs/${place.session}`);
  await journal.transact((put) => put(journal.laneChange(SESSION_LANE, null)));
  return result;
}

async function takeOut(house: House, runs: readonly Run[], keepWorktree: boolean): Promise<RemoveResult> {
  const { journal, clock } = house;
  const agents = runs.filter(({ agent }) => agent !== SUPERVISOR);
  const before = await entries(house, agents);
  const lanes = runs.map(({ agent }) => agentLane(agent));
  const refs = await journal.transact((put) =>
    lanes.flatMap((lane) => {
      const run = journal.state<Run>(lane);
      if (run === null) return [];
      const out = leaving(run, clock.now(), keepWorktree);
      put(journal.laneChange(lane, out));
      return [[run.agent, out.removal?.ref ?? ""] as const];
    }),
  );
  for (const lane of lanes) house.wake(lane);
  await journal.until(() => lanes.every((lane) => journal.state<Run>(lane)?.wanted !== "gone"));
  const kept = lanes.flatMap((lane) => journal.state<Run>(lane) ?? []);
  const made = new Set((await house.git.backups()).map(({ ref }) => ref));
  const backups = new Map(refs.filter(([, ref]) => made.has(ref)));
  const gone = before.filter(({ agent }) => !kept.some((run) => run.agent === agent));
  return {
    removed: gone.map((entry) => ({ ...entry, backup: backups.get(entry.agent) ?? null })),
    kept: kept.map(({ agent, ended }) => ({
      agent,
      why: ended?.failure ? explain(ended.failure).message : (ended?.note ?? ""),
    })),
  };
}

/** What each run's removal touches. A worktree or branch that is not ours stays, and holds nothing that could be lost. */
async function entries({ journal, git }: House, runs: readonly Run[]): Promise<PurgeEntry[]> {
  const base = sessionOf(journal)?.base;
  return Promise.all(
    runs.map(async (run) => {
      const nothing = { files: 0, commits: 0 };
      const unsaved =
        run.ours.worktree && base !== undefined ? await git.unsaved(run.worktree, run.branch, base) : nothing;
      return purgeEntry(run, run.ours.branch ? unsaved : { ...unsaved, commits: 0 }, null);
    }),
  );
}
