import { describe, expect, it } from "vitest";
import { ChangedFiles, type KnownChange } from "./changed-files.ts";

const TEST = 'test("adds", () => {\n  assert.equal(1, 1);\n});\n';
const changed = (path: string, how: KnownChange["how"] = "changed", from?: string): KnownChange => ({
  path,
  how,
  ids: [how === "added" ? "" : "1", how === "deleted" ? "" : "2"],
  ...(from !== undefined && { from }),
});
const looked = (files: readonly KnownChange[], old: Record<string, string>, now: Record<string, string>) =>
  new ChangedFiles(files, new Map(Object.entries(old)), new Map(Object.entries(now)));

describe("of the files that a branch changes", () => {
  it("one whose text cannot be read counts as changed", () => {
    const files = looked([changed("package.json")], { "package.json": "{}" }, {});
    expect(files.inputs(["package.json"], [])).toEqual([
      { path: "package.json", parts: ["package.json"], about: "1 → 2" },
    ]);
  });
  it("a program that gates run by name decides, and a test that they run by name is a test", () => {
    const files = looked(
      [changed("run.mjs"), changed("a.test.mjs")],
      { "run.mjs": "go()", "a.test.mjs": TEST },
      {
        "run.mjs": "",
        "a.test.mjs": `${TEST}// more\n`,
      },
    );
    expect(files.inputs([], ["run.mjs", "a.test.mjs"]).map(({ path }) => path)).toEqual(["run.mjs"]);
  });
  it("a deleted test is lost, and one that has moved is not", () => {
    const gone = changed("test/a.test.mjs", "deleted");
    const lost = looked([gone], { "test/a.test.mjs": TEST }, {});
    expect(lost.tests(["test/a.test.mjs"])).toMatchObject([{ deleted: true, lost: true }]);
    const moved = looked(
      [gone, changed("test/b.test.mjs", "added")],
      { "test/a.test.mjs": TEST },
      { "test/b.test.mjs": TEST },
    );
    expect(moved.tests(["test/a.test.mjs"])).toMatchObject([{ deleted: true }]);
    expect(moved.tests(["test/a.test.mjs"])[0]).not.toHaveProperty("lost");
  });
  it("a test that gets a name by which nobody runs it is deleted", () => {
    const renamed = changed("docs/a.txt", "renamed", "test/a.test.mjs");
    const files = looked([renamed], { "test/a.test.mjs": TEST }, { "docs/a.txt": TEST });
    expect(files.tests(["test/a.test.mjs"])).toMatchObject([{ path: "test/a.test.mjs", deleted: true }]);
  });
  it("those beyond the most that are named are one more, with a key of their own", () => {
    const many = Array.from({ length: 60 }, (_, i) => changed(`p${i}/package.json`));
    const inputs = looked(many, {}, {}).inputs(
      many.map(({ path }) => path),
      [],
    );
    expect([inputs.length, inputs.at(-1)?.path]).toEqual([51, "10 more files"]);
  });
});
