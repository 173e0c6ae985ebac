import { expect, it } from "vitest";
import { more } from "./texts.ts";
import { conflictWords } from "./view.ts";

it("counts one file as one", () => {
  expect(more(1, "feat-b")).toBe("[conflict-detector] in-flight conflict: and 1 more file with feat-b");
  expect(more(2, "feat-b")).toContain("2 more files");
});

it.each([
  ["forward", false, "both plan to edit"],
  ["in-flight", false, "both edit"],
  ["in-flight", true, "both edit, and it merges"],
  ["ownership", false, "the first edits files of the second"],
  ["predicted", false, "would not merge"],
] as const)("a conflict that is %s (settled: %j) is called %j", (kind, settled, words) =>
  expect(conflictWords({ kind, settled })).toBe(words),
);
