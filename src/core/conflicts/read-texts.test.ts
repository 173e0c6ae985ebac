import { expect, it } from "vitest";
import { isDetectors, readConflict } from "./read-texts.ts";
import * as text from "./texts.ts";

function predicted(other: string, first: string | null): string {
  const files = [{ path: "src/a.ts", kind: "content" as const, hunks: [] }];
  return text.predicted({ me: "me", other, base: false, files, mineIsOurs: true, first: () => first })[0] ?? "";
}

it.each([
  [text.forward("b", [{ words: "src/a.ts", crossKind: false }], 20), "forward", "b", "src/a.ts"],
  [text.inFlight("src/a.ts", "both", "b"), "in-flight", "b", "src/a.ts"],
  [text.inFlight("src/a.ts", "modifies-planned", "b"), "in-flight", "b", "src/a.ts"],
  [text.inFlight("src/a.ts", "plans-modified", "b"), "in-flight", "b", "src/a.ts"],
  [text.violation("src/a.ts", "b", "spec"), "ownership", "b", "src/a.ts"],
  [text.violation("src/a.ts", "b", "intent"), "ownership", "b", "src/a.ts"],
  [predicted("b", "b"), "predicted", "b", "src/a.ts (content)"],
  [predicted("b", "me"), "predicted", "b", "src/a.ts (content)"],
  [predicted("b", null), "predicted", "b", "src/a.ts (content)"],
  ["[conflict-detector] predicted conflict: whatever is said\nhunks", "predicted", null, "whatever is said"],
])("reads back what the detector says: %s", (said, shape, other, where) => {
  expect(readConflict(said)).toEqual({ shape, other, where });
  expect(isDetectors(said)).toBe(true);
});

it.each([
  text.additive(["a"], "b"),
  text.more(3, "b"),
  text.mergesClean(["x"], "b"),
  "[directive] a",
  "[testing] 2 failures",
  "forward conflict: x",
])("takes this for no new conflict: %s", (said) => expect(readConflict(said)).toBe(null));
