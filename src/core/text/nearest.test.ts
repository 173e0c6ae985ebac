import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

it("finds what was meant", () => {
  expect(nearest("strat", ["start", "status", "stop"])).toBe("start");
  expect(nearest("worktree.placment", ["worktree.placement", "worktree.copy"])).toBe("worktree.placement");
});
it("compares no word that is longer than any of ours", () => {
  expect(nearest("start".repeat(20), ["start".repeat(20)])).toBe(null);
});
it("stays silent rather than guess", () => {
  expect(nearest("xyzzy", ["start", "status"])).toBe(null);
  expect(nearest("anything", [])).toBe(null);
});
