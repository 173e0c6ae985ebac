import { expect, it } from "vitest";
import { countsInWords } from "./show.ts";

it("says in words what the brake has counted, and halts after a failure once", () => {
  expect(countsInWords({ verify_fail: 2, react_halt: 1, reactHalts: 1, attempts: 1, stalled: 0 })).toBe(
    "2 failed verifications, 1 halt after a failure, 1 attempt at one item",
  );
  expect(countsInWords({ verify_fail: 0 })).toBe("");
});
