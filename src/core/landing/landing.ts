import type { Finding } from "../messages/finding.ts";
import type { AgentId, Branch, Commit, Instant } from "../text/ids.ts";

/** The queue of branches that are to land on one target, and what has landed. There is one for a repository. */
export interface Landings {
  readonly target: Branch | null;
  /** Everything that was asked for since the queue was last empty, in the order it was asked for. */
  readonly queue: readonly Candidate[];
  readonly train: Train | null;
  /** The newest last. */
  readonly landed: readonly Landed[];
  /** Who said to be blocked by whom. That outlives the answer: it was built on the other's work. */
  readonly blocked: readonly Blocked[];
  /** How cycles were resolved, by their members. */
  readonly resolved: Readonly<Record<string, string>>;
  /** Findings that a person has accepted, each with the branch it was found in: see `acceptedOf`. */
  readonly accepted: readonly string[];
  /** Set while there is something to do. */
  readonly since: Instant | null;
  /** When the last one began, and when it ended. */
  readonly began: Instant | null;
  readonly ended: Instant | null;
  /** What a person was last asked to land. */
  readonly offered: string | null;
  /** How many suites of gates were run for it. */
  readonly runs: number;
  readonly strategy: Strategy;
}

export type Strategy = "train" | "ff-only";

/** A branch that is to land. Its tip is fixed when it is asked for. */
export interface Candidate {
  readonly branch: string;
  readonly agent: AgentId | null;
  readonly tip: Commit;
  readonly state: CandidateState;
  readonly because: string | null;
  readonly findings: readonly Finding[];
  /** Set once its changes have been looked at, and nothing in them needs a person. */
  readonly inspected: boolean;
  /** A person has seen what it changes, and wants it: that fewer tests run then is no surprise. */
  readonly accepted: boolean;
  readonly flaky: boolean;
  /** It waits only because the target itself is red: it is tried again once something has landed. */
  readonly held: boolean;
  /** Branches of an earlier train that it conflicted with: whether they land was not known yet. */
  readonly met: readonly string[];
}

/** `waiting`: something has to be settled before it can be tried again. */
export type CandidateState = "queued" | "staged" | "landed" | "bounced" | "skipped" | "waiting";

/** What is asked for; `inspected` where a person has seen what it changes. */
export type AskedBranch = Pick<Candidate, "branch" | "agent" | "tip"> & { readonly inspected?: boolean };

export interface Blocked {
  readonly agent: AgentId;
  readonly from: AgentId;
}

/** Branches that are put onto each other, to be tested and landed together. */
export interface Train {
  /** Where the target was when it was made. */
  readonly base: Commit;
  /** What is to come, in order. */
  readonly order: readonly Planned[];
  readonly staged: readonly Staged[];
  /** No more branches are taken in: it is tested. */
  readonly closed: boolean;
  /** The committer's date of everything that is made for it: made again after a crash, commits have the same ids. */
  readonly date: Instant;
  /** The check of each commit that is tested. */
  readonly checks: Readonly<Record<string, string>>;
  /** Commits that were red and are run once more. */
  readonly again: readonly Commit[];
  /** Branches that land at one point or not at all. */
  readonly groups: readonly (readonly string[])[];
}

export interface Planned {
  readonly branch: string;
  readonly needs: readonly string[];
  readonly because: string;
}

export interface Staged {
  readonly branch: string;
  readonly tip: Commit;
  /** Its own work, on top of what is staged before it. */
  readonly to: Commit;
  readonly tree: string;
  readonly files: readonly string[];
}

/** What a branch came to when it landed. */
export interface Landed {
  readonly branch: string;
  readonly agent: AgentId | null;
  /** Where the branch was. */
  readonly from: Commit;
  /** Its last commit on the target, and the commit its first one stands on. */
  readonly to: Commit;
  readonly onto: Commit;
  /** The value that the target's ref took, and the one it had before. */
  readonly point: Commit;
  readonly before: Commit;
  readonly tree: string;
  readonly at: Instant;
}

export type LandingEvent =
  | {
      readonly type: "asked";
      readonly target: Branch;
      readonly strategy: Strategy;
      readonly branches: readonly AskedBranch[];
      readonly at: Instant;
    }
  | { readonly type: "blocked"; readonly blocked: Blocked }
  | {
      readonly type: "planned";
      readonly base: Commit;
      readonly order: readonly Planned[];
      readonly groups: readonly (readonly string[])[];
      readonly at: Instant;
    }
  | { readonly type: "inspected"; readonly branch: string; readonly accepted: boolean }
  | { readonly type: "staged"; readonly staged: Staged }
  /** It does not go with what is staged before it, and waits for what becomes of that. */
  | { readonly type: "deferred"; readonly branch: string; readonly met: readonly string[] }
  | { readonly type: "closed" }
  | { readonly type: "testing"; readonly commit: Commit; readonly check: string; readonly cached: boolean }
  | { readonly type: "again"; readonly commit: Commit }
  | {
      readonly type: "ended";
      readonly branch: string;
      readonly as: Exclude<CandidateState, "queued" | "staged">;
      readonly because: string;
      readonly findings: readonly Finding[];
      readonly held?: boolean;
    }
  /** The target's ref was put onto the last of the first `count` staged ones. */
  | { readonly type: "landed"; readonly count: number; readonly tree: string; readonly at: Instant }
  | { readonly type: "replanned" }
  | { readonly type: "resolved"; readonly cycle: string; readonly answer: string }
  /** A person has accepted what a branch changes: it is tried again. */
  | { readonly type: "accepted"; readonly branch: string; readonly findings: readonly string[]; readonly at: Instant }
  | { readonly type: "flaky"; readonly branch: string }
  | { readonly type: "offered"; readonly request: string }
  | { readonly type: "finished"; readonly at: Instant };

/** By `findingKey`, what a person has accepted of these branches: of another the same would be another decision. */
export const acceptedOf = ({ accepted: all }: Pick<Landings, "accepted">, branches: readonly string[]): string[] =>
  all.flatMap((each) => {
    const [, key = "", branch = ""] = /^(\S+) (.+)$/.exec(each) ?? [];
    return branches.includes(branch) ? [key] : [];
  });

/** What the commit is called that takes back what a branch has landed. */
export const undoOf = (branch: string): string => `undo of ${branch}`;

/** The landing that took back what a branch had landed; null where the branch has landed again since, or never. */
export function takenBack({ landed: all }: Landings, branch: string): Landed | null {
  const last = all.findLast((each) => each.branch === branch || each.branch === undoOf(branch));
  return last?.branch === undoOf(branch) ? last : null;
}

/** Where a branch was when it last landed; null for one that has not. */
export const lastLanded = ({ landed: all }: Landings, branch: string): Landed | null =>
  all.findLast((each) => each.branch === branch) ?? null;
