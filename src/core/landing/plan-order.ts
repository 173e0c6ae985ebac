/** A branch that is to land, as far as the order is concerned. */
export interface Orderable {
  readonly branch: string;
  /** Branches that have to land before it; what is not to land is not waited for. */
  readonly needs: readonly string[];
}

export interface Order {
  readonly order: readonly { readonly branch: string; readonly needs: readonly string[]; readonly because: string }[];
  /** Those of a cycle, and those that need one of them: none of them lands. */
  readonly waiting: readonly { readonly branch: string; readonly because: string }[];
  readonly cycles: readonly (readonly string[])[];
}

/**
 * What lands when: a branch after all it needs; among those that are free, the one that meets the fewest others first, then
 * the one that was named first. `meets` counts the branches each is predicted to conflict with.
 */
export function planOrder(branches: readonly Orderable[], meets: ReadonlyMap<string, number> = new Map()): Order {
  const names = new Set(branches.map(({ branch }) => branch));
  const needs = new Map(
    branches.map(({ branch, needs: all }) => [
      branch,
      [...new Set(all)].filter((each) => each !== branch && names.has(each)),
    ]),
  );
  const cycles = findCycles(needs);
  const inCycle = new Set(cycles.flat());
  const stuck = stuckBehind(needs, inCycle);
  return {
    order: sorted(branches, needs, stuck, meets),
    waiting: branches
      .filter(({ branch }) => stuck.has(branch))
      .map(({ branch }) => ({ branch, because: becauseOf(branch, cycles, stuck.get(branch) ?? branch) })),
    cycles,
  };
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

type Needs = ReadonlyMap<string, readonly string[]>;

/** Each free branch once, in O((n + e) log n) by a heap of those that are free. */
function sorted(
  branches: readonly Orderable[],
  needs: Needs,
  stuck: ReadonlyMap<string, string>,
  meets: ReadonlyMap<string, number>,
): Order["order"] {
  const position = new Map(branches.map(({ branch }, i) => [branch, i]));
  const left = new Map<string, number>();
  const neededBy = new Map<string, string[]>();
  const free = new Heap((a, b) => {
    const fewer = (meets.get(a) ?? 0) - (meets.get(b) ?? 0);
    return fewer !== 0 ? fewer : (position.get(a) ?? 0) - (position.get(b) ?? 0);
  });
  for (const { branch } of branches) {
    if (stuck.has(branch)) continue;
    const own = needs.get(branch) ?? [];
    left.set(branch, own.length);
    for (const each of own) push(neededBy, each, branch);
    if (own.length === 0) free.push(branch);
  }
  const order: { branch: string; needs: readonly string[]; because: string }[] = [];
  for (let next = free.pop(); next !== undefined; next = free.pop()) {
    const own = needs.get(next) ?? [];
    order.push({ branch: next, needs: own, because: reasonFor(own, meets.get(next) ?? 0) });
    for (const dependent of neededBy.get(next) ?? []) {
      const count = (left.get(dependent) ?? 0) - 1;
      left.set(dependent, count);
      if (count === 0) free.push(dependent);
    }
  }
  return order;
}

function reasonFor(needs: readonly string[], meets: number): string {
  if (needs.length > 0) return `needs ${needs.join(", ")}`;
  return meets === 0 ? "needs nothing" : `needs nothing; may conflict with ${meets} of the others`;
}

/** Groups of branches that need each other, by Tarjan's algorithm, without recursion: 500 may stand in one row. */
function findCycles(needs: Needs): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];
  for (const root of needs.keys()) {
    if (index.has(root)) continue;
    const work: { node: string; next: number }[] = [{ node: root, next: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1] as { node: string; next: number };
      const { node } = frame;
      if (frame.next === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) ?? 0);
        stack.push(node);
        onStack.add(node);
      }
      const each = (needs.get(node) ?? [])[frame.next++];
      if (each !== undefined) {
        if (!index.has(each)) work.push({ node: each, next: 0 });
        else if (onStack.has(each)) low.set(node, Math.min(low.get(node) ?? 0, index.get(each) ?? 0));
        continue;
      }
      work.pop();
      const above = work.at(-1)?.node;
      if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== index.get(node)) continue;
      const group: string[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack.delete(member);
        group.push(member);
        if (member === node) break;
      }
      if (group.length > 1) cycles.push(group.reverse());
    }
  }
  return cycles;
}

/** Members of cycles, and whoever needs one: each with the member it waits for. */
function stuckBehind(needs: Needs, inCycle: ReadonlySet<string>): Map<string, string> {
  const neededBy = new Map<string, string[]>();
  for (const [branch, own] of needs) for (const each of own) push(neededBy, each, branch);
  const stuck = new Map([...inCycle].map((branch) => [branch, branch]));
  const todo = [...inCycle];
  for (let next = todo.pop(); next !== undefined; next = todo.pop())
    for (const dependent of neededBy.get(next) ?? [])
      if (!stuck.has(dependent)) {
        stuck.set(dependent, next);
        todo.push(dependent);
      }
  return stuck;
}

function becauseOf(branch: string, cycles: readonly (readonly string[])[], behind: string): string {
  const cycle = cycles.find((each) => each.includes(branch));
  if (cycle !== undefined) return `it is in a cycle: ${[...cycle, cycle[0]].join(" needs ")}`;
  return `needs ${behind}, which waits for a cycle to be resolved`;
}

/** The smallest first. */
class Heap {
  private readonly items: string[] = [];

  constructor(private readonly compare: (a: string, b: string) => number) {}

  push(item: string): void {
    const { items } = this;
    items.push(item);
    for (let at = items.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.compare(items[at] as string, items[parent] as string) >= 0) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): string | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    items[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < items.length && this.compare(items[left] as string, items[least] as string) < 0) least = left;
      if (right < items.length && this.compare(items[right] as string, items[least] as string) < 0) least = right;
      if (least === at) return first;
      this.swap(at, least);
      at = least;
    }
  }

  private swap(a: number, b: number): void {
    [this.items[a], this.items[b]] = [this.items[b] as string, this.items[a] as string];
  }
}
