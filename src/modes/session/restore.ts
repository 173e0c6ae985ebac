import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { branchProblem } from "../../core/session/branch-name.ts";
import type { AgentId, Branch } from "../../core/text/ids.ts";
import { nameAgents, worktreePath } from "../../core/text/naming.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { Backup, Backups } from "../../ports/git.ts";

/** Brings a backup back as a branch with a worktree; the backup stays. */
export async function restore(
  context: Pick<EngineContext, "git" | "place" | "progress">,
  action: Extract<Action, { type: "restore" }>,
): Promise<{ branch: string; worktree: string; ref: string }> {
  const { git, place } = context;
  const backup = pickBackup(await git.backups(), action.ref);
  const branch = (action.branch ?? backup.branch) as Branch;
  const why = branchProblem(branch);
  if (why !== null) throw new Failed({ kind: "branch.invalid", branch, why });
  const agent = nameAgents([branch]).get(branch) as AgentId;
  // The note in a backup is text that an agent could have written: only a place of ours is taken from it.
  const ours = (["child", "sibling"] as const).map((placement) => worktreePath(placement, place.root, agent));
  const was = action.branch === null && ours.includes(backup.worktree) ? backup.worktree : ours[0];
  const path = was as string;
  const onProgress = (done: number, of: number) => {
    context.progress = { what: `restoring ${branch}`, done, of };
  };
  try {
    await git.restore({ ref: backup.ref, path, branch, onProgress });
  } finally {
    context.progress = null;
  }
  return { branch, worktree: path, ref: backup.ref };
}

/** By its full name, or by any ending that only one has; an agent's or branch's name means its newest. */
export function pickBackup({ found: backups, unreadable }: Backups, name: string): Backup {
  const exact = backups.find(({ ref }) => ref === name);
  if (exact !== undefined) return exact;
  const ending = backups.filter(({ ref }) => ref.endsWith(`/${name}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  const newest = backups.find(({ ref, branch }) => branch === name || ref.split("/").at(-2) === name);
  if (newest !== undefined) return newest;
  const damaged = unreadable.find((ref) => ref === name || ref.endsWith(`/${name}`) || ref.split("/").at(-2) === name);
  if (damaged !== undefined) throw new Failed({ kind: "backup.unreadable", ref: damaged });
  throw new Failed({
    kind: "backup.unknown",
    ref: name,
    near: nearest(
      name,
      backups.map(({ ref }) => ref),
    ),
  });
}
