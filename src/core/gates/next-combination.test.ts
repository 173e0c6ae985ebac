import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Known, nextCombination } from "./next-combination.ts";

/** Tests whatever is asked for until nothing is left; `is` says what each combination comes to. */
function run(members: readonly string[], is: (agents: readonly string[]) => Exclude<Known, "unknown">) {
  const tested = new Map<string, Known>();
  for (;;) {
    const found = nextCombination(members, (agents) => tested.get([...agents].sort().join()) ?? "unknown");
    if (found.next === null)
      return { red: found.red.map(({ agents }) => [...agents].sort().join()), runs: tested.size };
    const key = [...found.next].sort().join();
    expect(tested.has(key)).toBe(false);
    tested.set(key, is(found.next));
  }
}

const has =
  (...pair: string[]) =>
  (agents: readonly string[]) =>
    pair.every((each) => agents.includes(each)) ? ("red" as const) : ("green" as const);

describe("which combination is tested next", () => {
  it("is one run where everything is green together", () => {
    expect(run(["a", "b", "c", "d"], () => "green")).toEqual({ red: [], runs: 1 });
  });
  it("finds the pair that is red together", () => {
    const eight = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const { red, runs } = run(eight, has("b", "g"));
    expect(red).toEqual(["b,g"]);
    // All of it, each alone, two bisections, the rest; each pair by itself would be 28.
    expect(runs).toBeLessThanOrEqual(1 + 8 + 3 + 4 + 1);
  });
  it("leaves out who is red alone: that is no news to the others", () => {
    expect(run(["a", "b", "c"], has("b")).red).toEqual([]);
    const both = (agents: readonly string[]) => (agents.includes("d") ? "red" : has("a", "c")(agents));
    expect(run(["a", "b", "c", "d"], both).red).toEqual(["a,c"]);
  });
  it("names three where no two of them are red", () => {
    expect(run(["a", "b", "c", "d"], has("a", "b", "d")).red).toEqual(["a,b,d"]);
  });
  it("asks nothing of one agent, and nothing of what cannot be put together", () => {
    expect(nextCombination(["a"], () => "unknown")).toEqual({ next: null, red: [] });
    expect(nextCombination(["a", "b"], () => "conflict")).toEqual({ next: null, red: [] });
  });
  it("finds every one of some disjoint pairs, whatever they are, and always ends", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: 2 }), fc.integer({ min: 0, max: 4 }), (members, count) => {
        const pairs = Array.from({ length: Math.min(count, Math.floor(members.length / 2)) }, (_, i) =>
          members.slice(2 * i, 2 * i + 2),
        );
        const { red } = run(
          names.filter((each) => members.includes(each)),
          (agents) => (pairs.some((pair) => pair.every((each) => agents.includes(each))) ? "red" : "green"),
        );
        expect(red.sort()).toEqual(pairs.map((pair) => [...pair].sort().join()).sort());
      }),
    );
  });
});
