import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextTest, type Tested } from "./next-test.ts";

/** Plays a train to its first landing or blame; poisoned branches turn every beginning red that has them. */
function play(length: number, poisoned: readonly number[], jobs: number) {
  const known = new Map<number, Tested>();
  const isRed = (at: number) => poisoned.some((each) => each <= at);
  for (let runs = 0; runs < 1_000; ) {
    const next = nextTest(length, (at) => known.get(at) ?? "unknown", jobs);
    if (next.do !== "test") return { next, runs };
    for (const at of next.lengths) {
      if (!known.has(at)) runs++;
      known.set(at, isRed(at) ? "red" : "green");
    }
  }
  throw new Error("no end");
}

describe("a train", () => {
  it("of green branches takes one test", () => {
    expect(play(11, [], 1)).toEqual({ next: { do: "land", length: 11 }, runs: 1 });
  });

  it.each([1, 2, 3, 5, 8, 11])("finds that the branch at %i turns it red", (at) => {
    const { next, runs } = play(11, [at], 1);
    expect(next).toEqual({ do: "blame", length: at });
    expect(runs).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(11)));
  });

  it("tests what it would need next, where there is room for it", () => {
    expect(nextTest(8, () => "unknown", 3)).toEqual({ do: "test", lengths: [8, 4, 2] });
    expect(nextTest(8, () => "unknown", 1)).toEqual({ do: "test", lengths: [8] });
    expect(nextTest(1, () => "unknown", 4)).toEqual({ do: "test", lengths: [1] });
  });

  it("always ends at the first poisoned branch, whatever is tested at the same time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        (length, poisoned, jobs) => {
          const inside = poisoned.filter((at) => at <= length);
          const { next } = play(length, inside, jobs);
          const first = Math.min(...inside, Number.POSITIVE_INFINITY);
          expect(next).toEqual(inside.length === 0 ? { do: "land", length } : { do: "blame", length: first });
        },
      ),
    );
  });
});
