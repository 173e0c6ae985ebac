import { Failed } from "../../core/failure/failed.ts";
import { newcomer } from "../../core/messages/roster.ts";
import type { AgentId } from "../../core/text/ids.ts";
import { WATCH_LANE } from "../../core/worktrees/registered.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording } from "../journal/recording.ts";
import { targetsOf } from "./work-targets.ts";

export interface Registration {
  readonly agent: AgentId;
  readonly path: string;
  readonly cli: string | null;
}

/**
 * Looks after the worktree of an agent that we did not start, from now on. Registering it again changes nothing. Rejects
 * with `worktree.foreign` for a folder that is no worktree of this repository, and with `worktree.taken` for one that is
 * not its own: what happens there would be told in its name. A person (`anyone`) may say otherwise.
 */
export async function registerWorktree(
  context: Recording & Pick<Ports, "git">,
  { agent, path, cli }: Registration,
  anyone: boolean,
): Promise<void> {
  const { git, journal, clock } = context;
  const worktree = (await git.worktrees()).find((each) => each.path === path.replace(/\/+$/, ""));
  if (worktree === undefined || worktree.missing || worktree.broken)
    throw new Failed({ kind: "worktree.foreign", path });
  if (worktree.main && !anyone) throw new Failed({ kind: "worktree.taken", path, by: null });
  await journal.transact((transaction) => {
    const owners = targetsOf(journal).filter((each) => each.worktree === worktree.path);
    if (owners.some((each) => each.agent === agent)) return;
    const [owner] = owners;
    if (owner !== undefined && !anyone) throw new Failed({ kind: "worktree.taken", path, by: owner.agent });
    transaction.send(WATCH_LANE, { type: "registered", agent, worktree: worktree.path });
    if (journal.entry(agent) !== null) return;
    const entry = newcomer(agent, clock.now(), journal.head);
    transaction.put({ row: "roster", put: { ...entry, branch: worktree.branch, cli, evidence: "registered" } });
  });
}
