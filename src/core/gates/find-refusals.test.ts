import { describe, expect, it } from "vitest";
import { findCollisions, findRefusals } from "./find-refusals.ts";

describe("files that differ only in case", () => {
  const added = (path: string) => ({ path, how: "added" as const });
  it("are found beside old ones and beside each other, folders included", () => {
    expect(findCollisions([added("src/Readme.md")], ["src/Readme.md", "src/README.md"])).toEqual([
      ["src/Readme.md", "src/README.md"],
    ]);
    expect(findCollisions([added("Src/a"), added("src/A")], ["Src/a", "src/A"])).toEqual([["src/A", "Src/a"]]);
    expect(findCollisions([added("Src/b")], ["src/a", "Src/b"])).toEqual([["Src/b", "src"]]);
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

it("each is one finding that fails", () => {
  expect(findRefusals({})).toEqual([]);
  expect(findRefusals({ collisions: [["A", "a"]] })).toMatchObject([{ kind: "conflict", file: "A" }]);
});
