import type { ConflictSettings } from "./conflicts/detect.ts";
import type { Branch, Instant } from "./ids.ts";
import type { Arrangement } from "./layout.ts";
import type { Placement } from "./naming.ts";
import type { Run } from "./run.ts";

/** State of the lane `session`: the one session a repository can have. Its agents are lanes of their own. */
export interface Session {
  readonly name: string;
  readonly project: string;
  readonly root: string;
  /** The branch the agents started from, and where their work is to land. */
  readonly base: Branch;
  readonly placement: Placement;
  /** How its panes lie in tmux; null for a session without. */
  readonly arrangement: Arrangement | null;
  /** Set where agents are warned of each other: in a session with a supervisor. */
  readonly conflicts?: ConflictSettings | null;
  /** Whether a commit tells the supervisor to verify it; unset is yes. */
  readonly nudge?: boolean;
  readonly createdAt: Instant;
  readonly status: "active" | "paused" | "stopped";
}

/** What is so now, whatever was recorded: an active session none of whose processes lives is a stopped one. */
export type EffectiveStatus = "active" | "paused" | "stopped" | "none";

export function effectiveStatus(session: Session | null, alive: boolean): EffectiveStatus {
  if (session === null) return "none";
  return alive ? session.status : "stopped";
}

export type StartDecision =
  | { readonly do: "fresh" }
  | { readonly do: "reattach" }
  | { readonly do: "recover" }
  | { readonly do: "refuse"; readonly extra: readonly Branch[]; readonly present: readonly Branch[] };

/**
 * What `start` does, from what is here: never a second set of agents, never a purge. Branches that the session does
 * not have are refused, because adding is another command; naming none means all that are here.
 */
export function decideStart(
  session: Session | null,
  runs: readonly Run[],
  branches: readonly Branch[],
  supervising: Run | null = null,
): StartDecision {
  if (session === null || runs.length === 0) return { do: "fresh" };
  const present = runs.map((run) => run.branch);
  const extra = branches.filter((branch) => !present.includes(branch));
  if (extra.length > 0) return { do: "refuse", extra, present };
  const asleep = runs.some(
    (run) => run.wanted !== "up" || run.paused || (run.ended !== null && run.ended.how !== "ok"),
  );
  // A model in pane 0 is never done with its work: one that has left is missed.
  const missed = supervising !== null && (supervising.wanted !== "up" || supervising.ended !== null);
  return session.status === "active" && !asleep && !missed ? { do: "reattach" } : { do: "recover" };
}
