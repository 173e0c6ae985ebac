import { describe, expect, it } from "vitest";
import type { Branch } from "../text/ids.ts";
import { concernsCheckout, isIgnored, isOutgrown, leftOut, pathsToLookAt } from "./watch-scope.ts";

const IGNORED = new Set(["build/", "deep/er/", "a.log"]);
const sight = (...files: string[]) => ({ branch: "b" as Branch, files: new Map(files.map((file) => [file, ""])) });

describe("what is ignored", () => {
  it.each([
    ["build", true],
    ["build/x/y", true],
    ["builder", false],
    ["a.log", true],
    ["a.log/x", false],
    ["deep", false],
    ["deep/er/x", true],
    ["src/build", false],
  ])("%s: %s", (path, is) => expect(isIgnored(path, IGNORED)).toBe(is));

  it("is left out of a watch where it is a folder", () => expect(leftOut(IGNORED)).toEqual(["build", "deep/er"]));
});

describe("a watch", () => {
  it.each([
    ["the same folders, and more ignored files", ["build"], ["build/", "x.log"], ["a"], false],
    ["an ignored folder that was not there", ["build"], ["build/", "node_modules/"], [], true],
    ["an ignored folder that is gone", ["build", "node_modules"], ["build/"], [], false],
    ["a folder within one that is left out", ["build"], ["build/x/"], [], false],
    ["a file that is not ignored any more", ["build"], [], ["build/x"], true],
  ])("with %s", (_, without, ignored, files, is) =>
    expect(isOutgrown(without, new Set(ignored), sight(...files))).toBe(is),
  );
});

describe("after a change of", () => {
  it.each([["a/.gitignore"], [".gitattributes"], ["inner/.git"], ["inner/.git/HEAD"], ["caf\ufffd"]])(
    "%s everything is looked at",
    (path) => expect(pathsToLookAt(["x", path])).toBeNull(),
  );
  it.each([["a/b"], [".github/x"], ["x.git"], [".gitignored"]])("%s only that", (path) =>
    expect(pathsToLookAt([path])).toEqual([path]),
  );
});

describe("the shared git folder", () => {
  const own = "/r/.git/worktrees/a";
  it.each([
    ["its index", `${own}/index`, own, true],
    ["that of another with a longer name", "/r/.git/worktrees/ab/index", own, false],
    ["its branch", "/r/.git/refs/heads/feat/a", own, true],
    ["another branch", "/r/.git/refs/heads/feat/ab", own, false],
    ["packed refs", "/r/.git/packed-refs", own, true],
    ["the main checkout's index", "/r/.git/index", "/r/.git", true],
    ["the main checkout's index, for another", "/r/.git/index", own, false],
    ["anything, for the main checkout", "/r/.git/FETCH_HEAD", "/r/.git", false],
  ])("%s", (_, path, folder, is) => expect(concernsCheckout(path, "/r/.git", folder, "feat/a")).toBe(is));
});
