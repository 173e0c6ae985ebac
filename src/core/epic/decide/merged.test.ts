import { describe, expect, it } from "vitest";
import { draw, read } from "../../../../test/epics/sketch.ts";
import { mergedItems } from "./merged.ts";

const epic = read(
  draw({
    items:
      "a in_progress surface=https://x/1; b in_progress surface=https://x/1; c queued; d in_progress surface=feat/d",
  }),
);
const merged = (branch: string, url = "") => mergedItems(epic, { branch, url }).map(({ id }) => id);

describe("what was merged", () => {
  it("is the item of a dispatch's branch, and of no other epic's", () => {
    expect([merged("epic/e/c.1.4"), merged("epic/other/c.1.4"), merged("epic/e/c")]).toEqual([["c"], [], []]);
  });
  it("is whatever is reviewed there: two items may share a pull request", () => {
    expect([merged("https://x/1"), merged("feat/d"), merged("x", "https://x/1")]).toEqual([
      ["a", "b"],
      ["d"],
      ["a", "b"],
    ]);
  });
  it("is nothing where nothing is named: an item without a surface has none", () => {
    expect([merged(""), merged("", ""), merged("x", "")]).toEqual([[], [], []]);
  });
});
