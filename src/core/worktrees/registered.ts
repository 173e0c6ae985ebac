import type { Lane } from "../record/lane.ts";
import type { Step } from "../record/step.ts";
import type { AgentId, Commit, LaneKey } from "../text/ids.ts";

/** State of the lane `watch`: worktrees of agents that we did not start. */
export interface RegisteredWorktrees {
  readonly registered: readonly RegisteredWorktree[];
}

export interface RegisteredWorktree {
  readonly agent: AgentId;
  readonly worktree: string;
  /** The last commit that the others were told of. */
  readonly head: Commit | null;
}

export type RegisteredEvent =
  | { readonly type: "registered"; readonly agent: AgentId; readonly worktree: string }
  | { readonly type: "commit.told"; readonly agent: AgentId; readonly head: Commit }
  | { readonly type: "gone"; readonly worktrees: readonly string[] };

const NONE: RegisteredWorktrees = { registered: [] };

export const WATCH_LANE: Lane<RegisteredWorktrees, RegisteredEvent> = {
  key: "watch" as LaneKey,
  rules: { initial: NONE, read: (stored) => ({ ...NONE, ...(stored as RegisteredWorktrees) }), reduce },
};

function reduce(state: RegisteredWorktrees | null, event: RegisteredEvent): RegisteredWorktrees | null {
  const { registered } = state ?? NONE;
  switch (event.type) {
    case "registered": {
      const { agent, worktree } = event;
      return { registered: [...registered.filter((each) => each.agent !== agent), { agent, worktree, head: null }] };
    }
    case "commit.told": {
      const { agent, head } = event;
      if (!registered.some((each) => each.agent === agent)) return state;
      return { registered: registered.map((each) => (each.agent === agent ? { ...each, head } : each)) };
    }
    case "gone": {
      const left = registered.filter(({ worktree }) => !event.worktrees.includes(worktree));
      return left.length === 0 ? null : { registered: left };
    }
  }
}

/** A worktree that is gone is not looked at any more; its agent can register another one. */
export function decideRegistered(
  { registered }: RegisteredWorktrees,
  { present }: { readonly present: ReadonlySet<string> },
): Step<RegisteredEvent, never> {
  const worktrees = registered.map(({ worktree }) => worktree).filter((path) => !present.has(path));
  return { events: worktrees.length === 0 ? [] : [{ type: "gone", worktrees }], effects: [] };
}
