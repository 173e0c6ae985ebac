import type { AgentId, Branch, Instant } from "./ids.ts";
import { backupRef } from "./naming.ts";
import type { Run } from "./run.ts";

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
}

export function purgeEntry(run: Run, unsaved: Unsaved, backup: string | null): PurgeEntry {
  const { agent, branch, worktree, ours } = run;
  return {
    agent,
    branch,
    worktree,
    removesWorktree: ours.worktree,
    deletesBranch: ours.worktree && ours.branch,
    ...unsaved,
    backup,
  };
}

/** The run on its way out. A new backup each time: an earlier one, of an attempt that failed, is never overwritten. */
export function leaving(run: Run, now: Instant, keepWorktree: boolean): Run {
  const removal = { ref: backupRef(run.agent, now), keepWorktree, tries: 0, cleared: false };
  return { ...run, wanted: "gone", saved: null, removal };
}
