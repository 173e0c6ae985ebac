import type { Branch } from "../text/ids.ts";
import { below } from "../text/paths.ts";

/** Something a dead session left: what, where, and why it goes or stays. */
export interface StaleEntry {
  readonly kind: "worktree" | "panes" | "folder" | "state";
  readonly path: string;
  readonly why: string;
  /** Uncommitted files that are saved before it goes. */
  readonly files: number;
  readonly backup: string | null;
}

export interface StaleResult {
  readonly removed: readonly StaleEntry[];
  readonly kept: readonly StaleEntry[];
}

export interface Verdict {
  readonly goes: boolean;
  readonly why: string;
}

export interface WorktreeSeen {
  readonly path: string;
  readonly branch: Branch | null;
  /** Locked by us, and given to nobody since. */
  readonly ours: boolean;
  readonly missing: boolean;
  /** A run of this session works in it. */
  readonly known: boolean;
  /** A program stands in it; null where that cannot be told. */
  readonly inUse: boolean | null;
}

/** Whether a worktree is a dead session's. Null where it is not ours, or is alive: nothing to say about it. */
export function judgeWorktree(root: string, seen: WorktreeSeen): Verdict | null {
  const ourPlace = below(seen.path, `${root}/.banksman/worktrees`) || seen.path.startsWith(`${root}-`);
  if (!seen.ours || !ourPlace || seen.known) return null;
  if (seen.missing) return goes("its folder is gone, and only git's record of it is left");
  if (seen.branch === null) return stays("it is on no branch, so what is in it would be hard to find again");
  if (seen.inUse === null) return stays("it is not known whether it is in use");
  if (seen.inUse) return stays("a program is working in it");
  return goes("no agent of this session and no other process uses it");
}

export interface StateSeen {
  /** The repository it is about; null where it does not say. */
  readonly root: string | null;
  readonly there: boolean;
  /** The folder the repository was in is there, with something in it. */
  readonly aboveThere: boolean;
  readonly running: boolean;
}

/** Whether the state folder of another repository can go: only if that repository is gone, and not merely out of reach. */
export function judgeState({ root, there, aboveThere, running }: StateSeen): Verdict | null {
  if (root === null || there) return null;
  if (running) return stays(`${root} is gone, but its supervisor still runs`);
  if (!aboveThere) return stays(`${root} is not there, but neither is the folder around it: a disk may be missing`);
  return goes(`its repository ${root} is gone`);
}

const goes = (why: string): Verdict => ({ goes: true, why });
const stays = (why: string): Verdict => ({ goes: false, why });
