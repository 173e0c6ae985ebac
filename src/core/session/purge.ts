import type { Assignment } from "../agents/assignment.ts";
import { explainInFull } from "../failure/explain.ts";
import type { AgentId, Branch } from "../text/ids.ts";

/** What an agent's worktree and branch hold that is nowhere else. */
export interface Unsaved {
  readonly files: number;
  readonly commits: number;
}

/** What a purge would do to one agent: shown before, and reported after. */
export interface PurgeEntry {
  readonly agent: AgentId;
  readonly branch: Branch;
  readonly worktree: string;
  readonly removesWorktree: boolean;
  readonly deletesBranch: boolean;
  readonly files: number;
  readonly commits: number;
  readonly backup: string | null;
  /** Why it cannot be removed; null where it can. */
  readonly stays: string | null;
}

/** Why an agent is still here after a removal, and what of it is not: one that failed half way says so. */
export function whyKept({ ended, removal, branch }: Assignment, backup: string | null): string {
  const why = ended?.failure ? explainInFull(ended.failure) : (ended?.note ?? "");
  if (removal?.cleared !== true) return why;
  const saved = backup === null ? "nothing in it was unsaved" : `saved as ${backup}`;
  return `Its worktree was removed (${saved}), and its branch ${branch} is still there. ${why} Then run the command again.`;
}

/** `stays` instead of a count where it holds what cannot be saved. */
export function purgeEntry(assignment: Assignment, unsaved: Unsaved | { readonly stays: string }): PurgeEntry {
  const { agent, branch, worktree, ours } = assignment;
  const nothing = { files: 0, commits: 0, stays: null };
  return {
    agent,
    branch,
    worktree,
    removesWorktree: ours.worktree,
    deletesBranch: ours.worktree && ours.branch,
    ...nothing,
    ...unsaved,
    backup: null,
  };
}
