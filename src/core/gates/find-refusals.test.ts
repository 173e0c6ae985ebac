import { describe, expect, it } from "vitest";
import { findCollisions, findRefusals } from "./find-refusals.ts";
import type { Inspection } from "./inspection.ts";

describe("files that differ only in case", () => {
  const added = (path: string) => ({ path, how: "added" as const });
  it("are found beside old ones and beside each other, folders included", () => {
    expect(findCollisions([added("src/Readme.md")], ["src/Readme.md", "src/README.md"])).toEqual([
      ["src/Readme.md", "src/README.md"],
    ]);
    expect(findCollisions([added("Src/a"), added("src/A")], ["Src/a", "src/A"])).toHaveLength(2);
  });
  it("are nobody's fault who has not added one", () => {
    const paths = ["a", "A", "b"];
    expect(findCollisions([{ path: "A", how: "changed" }, added("b")], paths)).toEqual([]);
  });
  it("take time that grows with the files alone, and are named up to a bound", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `a${i}`);
    const paths = [...many, ...many.map((name) => name.toUpperCase())];
    expect(findCollisions(many.map(added), paths)).toHaveLength(20);
  });
});

it("a history of its own is refused, too", () => {
  const plain = { unrelated: false, collisions: [] } as unknown as Inspection;
  expect(findRefusals(plain)).toEqual([]);
  expect(findRefusals({ ...plain, unrelated: true })).toMatchObject([{ kind: "conflict", tag: "regression" }]);
});
