import { describe, expect, it } from "vitest";
import { foldersBetween, takesWorktrees, whyAbove, whyNoLock } from "./above-worktree.ts";

describe("above a worktree", () => {
  it("lie the folders up to the root, where it is below that", () => {
    expect(foldersBetween("/r", "/r/.banksman/worktrees/a")).toEqual([".banksman", ".banksman/worktrees"]);
    expect([foldersBetween("/r", "/r-a"), foldersBetween("/r", "/r/a")]).toEqual([[], []]);
  });
  it("package managers find files that nobody has looked at", () => {
    expect(whyAbove([".banksman/logs", ".banksman/config.toml", ".banksman/worktrees/a"])).toBeNull();
    expect(whyAbove([".banksman/package.json", ".banksman/worktrees/.npmrc"])).toBe(
      "package managers would obey .banksman/package.json, .banksman/worktrees/.npmrc above the worktree; remove them",
    );
    for (const name of [".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs", "package-lock.json"])
      expect(whyAbove([`.banksman/${name}`])).toMatch(/remove it$/);
  });
  it("a package.json may take them in", () => {
    expect(takesWorktrees('{"workspaces":[".banksman/worktrees/*"]}')).toBe(true);
    expect(takesWorktrees('{"workspaces":["packages/*"],"scripts":{"a":"ls .banksman"}}')).toBe(false);
  });
  it("lies a lock file that is another checkout's", () => {
    expect(whyNoLock(["package-lock.json", ".npmrc"], { ".npmrc": "1" })).toBe("this branch has no package-lock.json");
    expect([whyNoLock(["package-lock.json"], { "package-lock.json": "2" }), whyNoLock([".gitmodules"], {})]).toEqual([
      null,
      null,
    ]);
  });
});
