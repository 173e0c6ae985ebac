import { expect, it } from "vitest";
import type { Instant } from "../text/ids.ts";
import { type Bucket, draw } from "./rate.ts";

const LIMIT = { perSecond: 20, burst: 100 };

function grants(requests: readonly (readonly [ms: number, count: number])[]): boolean[] {
  let bucket: Bucket | null = null;
  return requests.map(([ms, count]) => {
    const drawn = draw(bucket, count, LIMIT, ms as Instant);
    bucket = drawn.bucket;
    return drawn.waitMs === null;
  });
}

it("grants a burst, then the rate", () => {
  expect(
    grants([
      [0, 100],
      [0, 1],
      [50, 1],
      [50, 1],
      [1050, 20],
      [1050, 1],
    ]),
  ).toEqual([true, false, true, false, true, false]);
});
it("never saves up more than the burst", () =>
  expect(
    grants([
      [0, 1],
      [10 ** 9, 100],
      [10 ** 9, 1],
    ]),
  ).toEqual([true, true, false]));
it("says how long to wait", () =>
  expect(draw({ tokens: 0, at: 0 as Instant }, 10, LIMIT, 0 as Instant).waitMs).toBe(500));
it("is not fooled by a clock that goes backwards", () =>
  expect(
    grants([
      [1000, 100],
      [0, 1],
      [1000, 1],
      [1050, 1],
    ]),
  ).toEqual([true, false, false, true]));
it("grants a list longer than the burst to whoever has saved up, and has it paid off", () =>
  expect(
    grants([
      [0, 1],
      [0, 200],
      [50, 200],
      [5_000, 1],
      [5_100, 1],
    ]),
  ).toEqual([true, false, true, false, true]));
