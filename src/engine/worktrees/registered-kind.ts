import {
  decideRegistered,
  type RegisteredEvent,
  type RegisteredWorktrees,
  WATCH_LANE,
} from "../../core/worktrees/registered.ts";
import type { Ports } from "../../ports/ports.ts";
import type { LaneKind } from "../loop/lane-kind.ts";

interface Facts {
  /** The paths of all worktrees that are there. */
  readonly present: ReadonlySet<string>;
}

type RegisteredKind = LaneKind<RegisteredWorktrees, RegisteredEvent, Record<never, never>, Facts, Facts>;

/** The lane `watch`: worktrees of agents that we did not start. It looks when one is registered, and at each start. */
export const registeredKind = ({ git }: Pick<Ports, "git">): RegisteredKind => ({
  lane: (key) => (key === WATCH_LANE.key ? WATCH_LANE : null),
  observe: async () => {
    const worktrees = (await git.worktrees()).filter(({ missing, broken }) => !missing && !broken);
    return { present: new Set(worktrees.map(({ path }) => path)) };
  },
  facts: (_, seen) => seen,
  decide: decideRegistered,
  stillWanted: () => true,
  performers: {},
});
