import type { Branch, Commit, Instant } from "../core/text/ids.ts";

/**
 * The branch that work lands on. It moves only by compare-and-swap, and no checkout of it is left behind or written over.
 * No hook, merge driver or signing program of the repository's runs, but what its user has trusted. Rejects with the
 * failure that fits.
 */
export interface Target {
  /**
   * Makes the commits of a branch again on top of another commit. Asked again with the same date, it makes the same ones.
   * They are on disk, and held by a ref, when it resolves. Nothing that anybody has checked out changes.
   */
  replay(order: ReplayOrder): Promise<Replay>;
  /**
   * One commit on top of `onto` that takes back what changed from `from` to `to`. Held by `ref`, on disk; the same for the
   * same date.
   */
  revert(order: RevertOrder): Promise<Replay>;
  /** One commit on top of another in which these files are so; `nothing` where they are so already. Held as by `replay`. */
  rewrite(order: RewriteOrder): Promise<Replay>;
  /** Lets go of everything that `replay` and `rewrite` hold, but these. */
  release(kept: readonly Commit[]): Promise<void>;
  /**
   * Puts the branch from one commit to another, with every checkout of it: its files and its index. Idempotent; cut short,
   * it is finished by asking again, or taken back where the branch has gone elsewhere. It is on disk when it resolves.
   */
  move(order: MoveOrder): Promise<Move>;
  /** The branch's upstream as it is there now; null where it has none. Fetches. */
  upstream(branch: Branch): Promise<Upstream | null>;
  /** Pushes a commit to the upstream, without force; false where that was refused. */
  push(branch: Branch, commit: Commit): Promise<boolean>;
}

export interface ReplayOrder {
  readonly tip: Commit;
  readonly onto: Commit;
  /** The branch's own work begins behind it; null: where it left the history of `onto`. */
  readonly since: Commit | null;
  readonly date: Instant;
  /** For the message of a branch whose merges become one commit. */
  readonly name: string;
  /** Files that a command can make again: where they conflict, the copy of what is built on is taken. */
  generated?(path: string): boolean;
}

export interface RewriteOrder {
  readonly onto: Commit;
  /** Null takes a file away. */
  readonly texts: ReadonlyMap<string, string | null>;
  readonly date: Instant;
  readonly message: string;
}

export interface RevertOrder {
  readonly from: Commit;
  readonly to: Commit;
  readonly onto: Commit;
  readonly date: Instant;
  readonly message: string;
  readonly ref: string;
}

export type Replay =
  | {
      readonly how: "made";
      readonly commit: Commit;
      readonly tree: string;
      readonly files: readonly string[];
      /** Generated files that were in conflict: they have to be made again. */
      readonly kept?: readonly string[];
    }
  /** Everything in it is there already. */
  | { readonly how: "nothing" }
  | { readonly how: "conflict"; readonly files: readonly ReplayConflict[] };

export interface ReplayConflict {
  readonly path: string;
  readonly line: number | null;
  readonly lines: readonly string[];
}

export interface MoveOrder {
  readonly branch: Branch;
  readonly from: Commit;
  readonly to: Commit;
  /** The tree that was tested: anything else is not landed. */
  readonly tree: string;
  readonly message: string;
}

export type Move =
  | { readonly how: "moved" }
  | { readonly how: "moved-by-another" }
  /** `because` is a sentence for people: what is in the way, and where. */
  | { readonly how: "refused"; readonly because: string };

export interface Upstream {
  readonly name: string;
  readonly commit: Commit | null;
  /** It could not be asked; `commit` is what was known before. */
  readonly unreachable: string | null;
}
