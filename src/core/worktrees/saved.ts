import type { Commit } from "../text/ids.ts";

/** What a backup holds. `ref` is null when there was nothing that is not reachable anyway. */
export interface Saved {
  readonly ref: string | null;
  readonly tip: Commit | null;
  readonly head: Commit | null;
  /** The worktree's content as git names it: what is there later and not in it was not saved. */
  readonly tree: string;
  readonly files: number;
  readonly commits: number;
}
