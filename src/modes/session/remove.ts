import type { Action } from "../../core/actions/actions.ts";
import type { Assignment } from "../../core/agents/assignment.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { explainInFull } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import { lastLanded } from "../../core/landing/landing.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { endSession } from "../../core/session/end-session.ts";
import { type PurgeEntry, purgeEntry, whyKept } from "../../core/session/purge.ts";
import { assignmentsOf, everyAssignment, sessionOf } from "../../core/session/read-session.ts";
import type { StaleResult } from "../../core/session/stale.ts";
import type { AgentId } from "../../core/text/ids.ts";
import { madeBackup } from "../../core/text/naming.ts";
import type { EngineContext } from "../../engine/context.ts";
import { closeSession } from "../../engine/session/session-panes.ts";
import { named } from "./named.ts";
import { purgeStale } from "./purge-stale.ts";

type Removing = Pick<EngineContext, "clock" | "files" | "git" | "journal" | "place" | "tmux">;

export interface RemoveResult {
  readonly removed: readonly PurgeEntry[];
  /** What stayed, and why. */
  readonly kept: readonly { readonly agent: string; readonly why: string; readonly backup?: string }[];
}

/** Takes agents out of the session. Without `force`, work that is nowhere else keeps its agent here. */
export async function remove(context: Removing, action: Extract<Action, { type: "remove" }>): Promise<RemoveResult> {
  if (sessionOf(context.journal) === null) throw new Failed({ kind: "session.none" });
  const assignments = named(assignmentsOf(context.journal), action.agents);
  if (action.keepWorktree) {
    // What is kept is kept for its user.
    for (const { worktree } of assignments) await context.git.releaseWorktree(worktree);
    return takeOut(context, assignments, await entries(context, assignments), true);
  }
  const looked = await entries(context, assignments);
  const [staying, going] = [looked.filter(({ stays }) => stays !== null), looked.filter(({ stays }) => stays === null)];
  for (const { agent, files, commits } of action.force ? [] : going)
    if (files + ((await landedWhole(context, agent)) ? 0 : commits) > 0)
      throw new Failed({ kind: "worktree.unsaved", agent, files, commits });
  const agents = new Set(going.map(({ agent }) => agent));
  const { removed, kept } = await takeOut(
    context,
    assignments.filter(({ agent }) => agents.has(agent)),
    going,
    false,
  );
  return { removed, kept: [...staying.map(({ agent, stays }) => ({ agent, why: stays ?? "" })), ...kept] };
}

/** Its branch is as it was when it landed: its commits are on the target, if under other ids. They are saved all the same. */
async function landedWhole({ journal, git }: Pick<Removing, "journal" | "git">, agent: AgentId): Promise<boolean> {
  const branch = assignmentsOf(journal).find((each) => each.agent === agent)?.branch;
  const landings = journal.state(LAND_LANE);
  const landed = branch === undefined || landings === null ? null : lastLanded(landings, branch);
  return landed !== null && branch !== undefined && (await git.branches()).get(branch) === landed.from;
}

/** What `purge` would do to each agent (`look`), or doing it: everything saved first, then the session forgotten. */
export async function purge(
  context: Removing,
  { look, stale }: Extract<Action, { type: "purge" }>,
): Promise<RemoveResult | StaleResult> {
  if (stale) return purgeStale(context, look);
  const { journal, files, place } = context;
  if (sessionOf(journal) === null) throw new Failed({ kind: "session.none" });
  if (look) return { removed: await entries(context, assignmentsOf(journal)), kept: [] };
  const before = await entries(context, assignmentsOf(journal));
  const result = await takeOut(context, everyAssignment(journal), before, false);
  if (assignmentsOf(journal).length > 0) return result;
  await closeSession(context);
  await files.remove(`${place.root}/.banksman/logs/${place.session}`);
  await journal.transact((transaction) =>
    transaction.react(endSession(journal, context.clock.now()), context.clock.now()),
  );
  return result;
}

async function takeOut(
  context: Removing,
  assignments: readonly Assignment[],
  before: readonly PurgeEntry[],
  keepWorktree: boolean,
): Promise<RemoveResult> {
  const { journal, clock } = context;
  const lanes = assignments.map(({ agent }) => agentLane(agent));
  const refs = await journal.transact(
    (transaction) =>
      new Map(
        lanes.flatMap((lane) => {
          transaction.send(lane, { type: "wanted.gone", at: clock.now(), keepWorktree });
          const leaving = journal.state(lane);
          return leaving === null ? [] : [[leaving.agent, leaving.removal?.ref ?? ""] as const];
        }),
      ),
  );
  await journal.until(() => lanes.every((lane) => journal.state(lane)?.wanted !== "gone"));
  const kept = lanes.flatMap((lane) => journal.state(lane) ?? []);
  const made = (await context.git.backups()).found.map(({ ref }) => ref);
  const gone = before.filter(({ agent }) => !kept.some((assignment) => assignment.agent === agent));
  return {
    removed: gone.map((entry) => ({ ...entry, backup: madeBackup(refs.get(entry.agent) ?? "", made) })),
    kept: kept.map((assignment) => {
      const backup = madeBackup(refs.get(assignment.agent) ?? "", made);
      return { agent: assignment.agent, why: whyKept(assignment, backup), ...(backup !== null && { backup }) };
    }),
  };
}

/** What each removal touches. A worktree or branch that is not ours stays, and holds nothing that could be lost. */
async function entries(
  { journal, git }: Pick<EngineContext, "journal" | "git">,
  assignments: readonly Assignment[],
): Promise<PurgeEntry[]> {
  const base = sessionOf(journal)?.base ?? null;
  return Promise.all(
    assignments.map(async (assignment) => {
      const { worktree: path, branch, ours } = assignment;
      if (!ours.worktree) return purgeEntry(assignment, { files: 0, commits: 0 });
      try {
        return purgeEntry(assignment, await git.unsaved({ path, branch, base, branchStays: !ours.branch }));
      } catch (error) {
        // What is wrong with one says nothing about the others.
        if (!(error instanceof Failed)) throw error;
        return purgeEntry(assignment, { stays: explainInFull(error.failure) });
      }
    }),
  );
}
