import { type Order, planOrder } from "./plan-order.ts";

export interface TrainPlan extends Order {
  /** Branches that land at one point or not at all. */
  readonly groups: readonly (readonly string[])[];
}

export type Needs = Readonly<Record<string, readonly string[]>>;

/** Names a cycle, whichever of its members comes first. */
export const cycleKey = (cycle: readonly string[]): string => [...cycle].sort().join(" ");

/**
 * The order of these branches, with cycles as a person has resolved them. `first <branch>`: that one does not wait for the
 * others. `together`: all of them are one, which is taken apart again at the end.
 */
export function planTrain(
  branches: readonly string[],
  needs: Needs,
  meets: readonly (readonly [string, string])[],
  resolved: Readonly<Record<string, string>>,
): TrainPlan {
  const count = new Map<string, number>();
  for (const branch of meets.flat()) count.set(branch, (count.get(branch) ?? 0) + 1);
  const groups: (readonly string[])[] = [];
  for (let edges = needs; ; ) {
    const nameOf = (branch: string) => groups.find((group) => group.includes(branch))?.[0] ?? branch;
    const contracted = [...new Set(branches.map(nameOf))].map((branch) => {
      const members = groups.find((group) => group[0] === branch) ?? [branch];
      return { branch, needs: members.flatMap((each) => (edges[each] ?? []).map(nameOf)) };
    });
    const plan = planOrder(contracted, count);
    const cycle = plan.cycles.find((each) => firstOf(resolved, each) !== null || isTogether(resolved, each));
    if (cycle === undefined) return { ...plan, order: takenApart(plan.order, groups, edges), groups };
    if (isTogether(resolved, cycle)) groups.push(cycle);
    else edges = freed(edges, firstOf(resolved, cycle) ?? "", cycle);
  }
}

const isTogether = (resolved: Readonly<Record<string, string>>, cycle: readonly string[]): boolean =>
  resolved[cycleKey(cycle)] === "together";

function firstOf(resolved: Readonly<Record<string, string>>, cycle: readonly string[]): string | null {
  const [, first] = /^first\s+(.+)$/.exec(resolved[cycleKey(cycle)] ?? "") ?? [];
  return first !== undefined && cycle.includes(first) ? first : null;
}

const freed = (edges: Needs, first: string, cycle: readonly string[]): Needs => ({
  ...edges,
  [first]: (edges[first] ?? []).filter((each) => !cycle.includes(each)),
});

const takenApart = (order: Order["order"], groups: readonly (readonly string[])[], edges: Needs): Order["order"] =>
  order.flatMap((each) => {
    const group = groups.find((members) => members[0] === each.branch);
    if (group === undefined) return [each];
    return group.map((branch) => ({
      branch,
      needs: (edges[branch] ?? []).filter((need) => !group.includes(need)),
      because: `lands together with ${group.filter((other) => other !== branch).join(", ")}`,
    }));
  });
