import type { AgentId, Commit } from "../text/ids.ts";
import type { Blocked, Candidate } from "./landing.ts";

type Tip = Pick<Candidate, "branch" | "agent" | "tip">;

/**
 * Who has to land before whom: a branch that contains another's commits needs it, and so does an agent that has said it is
 * blocked by another. `parents` are the commits that the target has not. `branchOf` knows agents that are not to land;
 * null for one that is nobody's, or whose work is in the target already.
 */
export function findNeeds(
  tips: readonly Tip[],
  parents: ReadonlyMap<Commit, readonly Commit[]>,
  blocked: readonly Blocked[],
  branchOf: (agent: AgentId) => string | null,
): Record<string, string[]> {
  const contained = containedTips(tips, parents);
  return Object.fromEntries(
    tips.map(({ branch, agent, tip }) => {
      const said = blocked
        .filter((each) => each.agent === agent)
        .map(({ from }) => tips.find((other) => other.agent === from)?.branch ?? branchOf(from));
      // Of two at the same commit neither needs the other.
      const inside = (contained.get(tip) ?? []).filter((other) => other.branch !== branch && other.tip !== tip);
      const needs = [
        ...inside.map((other) => other.branch),
        ...said.filter((name) => name !== null && name !== branch),
      ];
      return [branch, [...new Set(needs)] as string[]];
    }),
  );
}

/** Per tip the others below it: each commit is looked at once for each tip, and only those that the target has not. */
function containedTips(tips: readonly Tip[], parents: ReadonlyMap<Commit, readonly Commit[]>): Map<Commit, Tip[]> {
  const at = new Map<Commit, Tip[]>();
  for (const tip of tips) if (parents.has(tip.tip)) at.set(tip.tip, [...(at.get(tip.tip) ?? []), tip]);
  const found = new Map<Commit, Tip[]>();
  for (const { tip } of tips) {
    if (found.has(tip)) continue;
    const seen = new Set<Commit>([tip]);
    const todo = [tip];
    const below: Tip[] = [];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (next !== tip) below.push(...(at.get(next) ?? []));
      for (const parent of parents.get(next) ?? [])
        if (!seen.has(parent) && parents.has(parent)) {
          seen.add(parent);
          todo.push(parent);
        }
    }
    found.set(tip, below);
  }
  return found;
}
