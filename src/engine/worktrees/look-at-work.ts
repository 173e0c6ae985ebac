import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { saying } from "../../core/record/publish.ts";
import { sessionOf } from "../../core/session/read-session.ts";
import type { AgentId, Branch, Commit } from "../../core/text/ids.ts";
import { WATCH_LANE } from "../../core/worktrees/registered.ts";
import { branchLoss, patchStatus, reportWork, type WorktreeStatus } from "../../core/worktrees/report-work.ts";
import type { Commits } from "../../ports/git.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Journal } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import type { Transaction } from "../journal/transaction.ts";
import { publish } from "../messages/publish.ts";
import { registeredIn, targetsOf } from "./work-targets.ts";

/** News of nothing but content come at most so often: an agent that writes a file writes it many times. */
const MINOR_MS = 1_000;

export interface SeenWork {
  readonly status: WorktreeStatus;
  readonly head: Commit | null;
  /** False where only some paths were looked at; then only these can be among the ignored ones. */
  readonly whole: boolean;
  readonly ignored: readonly string[];
  readonly gitFolder: string | null;
  /** What somebody took away under the agent, for people. */
  readonly loss: string | null;
  /** What was seen is not told yet; it is worth another look after so long. */
  readonly heldMs: number | null;
}

/**
 * One look at an agent's worktree: what is new is told in its name. `paths` are the only ones that can have changed since
 * `before`; null is all. Null when it is no longer to be looked at.
 */
export async function lookAtWork(
  context: Recording & Pick<Ports, "git">,
  agent: AgentId,
  before: SeenWork | null,
  paths: readonly string[] | null,
): Promise<SeenWork | null> {
  const { journal, clock } = context;
  const target = targetsOf(journal).find((each) => each.agent === agent);
  if (target === undefined) return null;
  const { work, status, whole } = await look(context, target.worktree, before, paths);
  const astray = target.branch !== null && work.branch !== target.branch;
  const told = toldHead(journal, agent);
  const base = sessionOf(journal)?.base ?? ("" as Branch);
  const isNew = work.head !== null && !astray && work.head !== told;
  const commits = isNew && told !== undefined ? await context.git.commitsSince(told, work.head as Commit, base) : null;
  const known = journal.entry(agent);
  const { messages, minor } = reportWork({
    agent,
    before: before?.status ?? null,
    now: status,
    committed: commitNews(commits),
    anew: commits?.anew === true,
    known: known?.files ?? [],
    branch: target.branch,
  });
  const loss = branchLoss(target.branch, { branch: work.branch, head: work.head, last: told ?? null });
  const seen = { head: work.head, whole, ignored: work.ignored, gitFolder: work.gitFolder, loss };
  const heldMs = minor ? MINOR_MS - (clock.now() - (known?.lastSeen ?? 0)) : 0;
  if (before !== null && heldMs > 0) return { ...seen, status: before.status, heldMs };
  if (messages.length > 0 || isNew)
    await publish(context, messages.map(saying), (transaction) => {
      if (isNew && work.head !== null) rememberTold(journal, transaction, agent, work.head);
    });
  return { ...seen, status, heldMs: null };
}

/** After a commit every file may be another one than before: then all of it. */
async function look(
  { git }: Pick<Ports, "git">,
  worktree: string,
  before: SeenWork | null,
  paths: readonly string[] | null,
) {
  if (before !== null && paths !== null) {
    const work = await git.work(worktree, paths);
    if (work.head === before.head && work.branch === before.status.branch)
      return { work, status: patchStatus(before.status, paths, work), whole: false };
  }
  const work = await git.work(worktree);
  return { work, status: { branch: work.branch, files: work.files }, whole: true };
}

const commitNews = (commits: Commits | null): readonly string[] | null =>
  commits !== null && commits.count > 0 ? commits.files : null;

/** Up to which commit its work is told; undefined where nothing can be known to be new: a branch that was there before. */
function toldHead(journal: Journal, agent: AgentId): Commit | undefined {
  const assignment = journal.state(agentLane(agent));
  if (assignment !== null) return assignment.head ?? assignment.from ?? undefined;
  return registeredIn(journal).find((each) => each.agent === agent)?.head ?? undefined;
}

function rememberTold(journal: Journal, transaction: Transaction, agent: AgentId, head: Commit): void {
  const lane = agentLane(agent);
  if (journal.state(lane) !== null) transaction.send(lane, { type: "commit.told", head });
  else transaction.send(WATCH_LANE, { type: "commit.told", agent, head });
}
