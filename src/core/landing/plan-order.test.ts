import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planOrder } from "./plan-order.ts";

const branches = (needs: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(needs).map(([branch, own]) => ({ branch, needs: own }));
const order = (needs: Readonly<Record<string, readonly string[]>>, meets: Record<string, number> = {}) =>
  planOrder(branches(needs), new Map(Object.entries(meets)));

describe("what lands when", () => {
  it.each<readonly [string, Record<string, string[]>, string[]]>([
    ["in the order named, where nothing is needed", { a: [], b: [], c: [] }, ["a", "b", "c"]],
    ["after what it needs", { a: ["c"], b: [], c: ["b"] }, ["b", "c", "a"]],
    ["what is not to land is not waited for", { a: ["elsewhere"], b: [] }, ["a", "b"]],
    ["a branch that needs itself needs nothing", { a: ["a"] }, ["a"]],
    ["nothing", {}, []],
  ])("%s", (_, needs, expected) => {
    expect(order(needs).order.map(({ branch }) => branch)).toEqual(expected);
  });

  it("those that meet the fewest others first", () => {
    const { order: planned } = order({ a: [], b: [], c: [] }, { a: 2, b: 1 });
    expect(planned.map(({ branch, because }) => [branch, because])).toEqual([
      ["c", "needs nothing"],
      ["b", "needs nothing; may conflict with 1 of the others"],
      ["a", "needs nothing; may conflict with 2 of the others"],
    ]);
  });

  it("nothing of a cycle, nor what needs one of it; the rest goes on", () => {
    const planned = order({ a: ["b"], b: ["c"], c: ["a"], d: ["a"], e: ["d"], f: [] });
    expect(planned.order.map(({ branch }) => branch)).toEqual(["f"]);
    expect(planned.cycles.map((cycle) => [...cycle].sort())).toEqual([["a", "b", "c"]]);
    expect(planned.waiting.map(({ branch }) => branch)).toEqual(["a", "b", "c", "d", "e"]);
    expect(planned.waiting.find(({ branch }) => branch === "d")?.because).toBe(
      "needs a, which waits for a cycle to be resolved",
    );
    expect(planned.waiting[0]?.because).toMatch(/^it is in a cycle: (\w needs ){3}\w$/);
  });

  it("each branch once, never before what it needs, whatever the graph", () => {
    const name = fc.integer({ min: 0, max: 14 }).map((n) => `b${n}`);
    fc.assert(
      fc.property(fc.dictionary(name, fc.array(name, { maxLength: 4 })), (needs) => {
        const planned = order(needs);
        const landing = planned.order.map(({ branch }) => branch);
        const waiting = planned.waiting.map(({ branch }) => branch);
        expect([...landing, ...waiting].sort()).toEqual(Object.keys(needs).sort());
        for (const [i, branch] of landing.entries())
          for (const each of needs[branch] ?? [])
            if (each !== branch && each in needs) expect(landing.slice(0, i)).toContain(each);
      }),
    );
  });

  it("takes time in proportion to branches and needs", () => {
    const chain = (n: number) =>
      planOrder(Array.from({ length: n }, (_, i) => ({ branch: `b${i}`, needs: i === 0 ? [] : [`b${i - 1}`] })));
    expect(chain(5_000).order).toHaveLength(5_000);
    expect(chain(5_000).cycles).toEqual([]);
  });
});
