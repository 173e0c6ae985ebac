import type { Change } from "../core/changes.ts";
import { type AgentId, agentLane, type Branch, type Commit, WATCH_LANE } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import { patchSight, reportWork, type Sight } from "../core/work-news.ts";
import type { Commits, Work } from "../ports/git.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { sessionOf } from "./look.ts";
import { publish } from "./publish.ts";
import { registeredIn, targetsOf, type WatchBook } from "./work-targets.ts";

/** News of nothing but content come at most so often: an agent that writes a file writes it many times. */
const MINOR_MS = 1_000;

export interface SeenWork {
  readonly sight: Sight;
  readonly head: Commit | null;
  /** False where only some paths were looked at; then only these can be among the ignored ones. */
  readonly whole: boolean;
  readonly ignored: readonly string[];
  readonly gitFolder: string | null;
  /** What was seen is not told yet; it is worth another look after so long. */
  readonly heldMs: number | null;
}

/**
 * One look at an agent's worktree: what is new is told in its name. `paths` are the only ones that can have changed since
 * `before`; null is all. Null when it is no longer to be looked at.
 */
export async function lookAtWork(
  house: House,
  agent: AgentId,
  before: SeenWork | null,
  paths: readonly string[] | null,
): Promise<SeenWork | null> {
  const { journal, clock } = house;
  const target = targetsOf(journal).find((each) => each.agent === agent);
  if (target === undefined) return null;
  const { work, sight, whole } = await look(house, target.worktree, before, paths);
  const astray = target.branch !== null && work.branch !== target.branch;
  const told = toldHead(journal, agent);
  const base = sessionOf(journal)?.base ?? ("" as Branch);
  const isNew = work.head !== null && !astray && work.head !== told;
  const commits = isNew && told !== undefined ? await house.git.commitsSince(told, work.head as Commit, base) : null;
  const known = journal.entry(agent);
  const { messages, minor } = reportWork({
    agent,
    before: before?.sight ?? null,
    now: sight,
    committed: commitNews(commits),
    anew: commits?.anew === true,
    known: known?.files ?? [],
    branch: target.branch,
  });
  const seen = { head: work.head, whole, ignored: work.ignored, gitFolder: work.gitFolder };
  const heldMs = minor ? MINOR_MS - (clock.now() - (known?.lastSeen ?? 0)) : 0;
  if (before !== null && heldMs > 0) return { ...seen, sight: before.sight, heldMs };
  if (messages.length > 0 || isNew)
    await publish(
      house,
      messages.map((message) => ({ message, key: null, re: null })),
      (put) => (isNew ? remember(journal, agent, work, put) : undefined),
    );
  return { ...seen, sight, heldMs: null };
}

/** After a commit every file may be another one than before: then all of it. */
async function look({ git }: House, worktree: string, before: SeenWork | null, paths: readonly string[] | null) {
  if (before !== null && paths !== null) {
    const work = await git.work(worktree, paths);
    if (work.head === before.head && work.branch === before.sight.branch)
      return { work, sight: patchSight(before.sight, paths, work), whole: false };
  }
  const work = await git.work(worktree);
  return { work, sight: { branch: work.branch, files: work.files }, whole: true };
}

const commitNews = (commits: Commits | null): readonly string[] | null =>
  commits !== null && commits.count > 0 ? commits.files : null;

/** Up to which commit its work is told; undefined where nothing can be known to be new: a branch that was there before. */
function toldHead(journal: Journal, agent: AgentId): Commit | undefined {
  const run = journal.state<Run>(agentLane(agent));
  if (run !== null) return run.head ?? run.from ?? undefined;
  return registeredIn(journal).find((each) => each.agent === agent)?.head ?? undefined;
}

function remember(journal: Journal, agent: AgentId, { head }: Work, put: (change: Change) => void): void {
  if (head === null) return;
  const lane = agentLane(agent);
  const run = journal.state<Run>(lane);
  if (run !== null) return put(journal.laneChange(lane, { ...run, head } satisfies Run));
  const registered = registeredIn(journal).map((each) => (each.agent === agent ? { ...each, head } : each));
  put(journal.laneChange(WATCH_LANE, { registered } satisfies WatchBook));
}
