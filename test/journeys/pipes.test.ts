import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

/** Git would wait for each of these; no test here has a time of its own, because git's would be longer than the test's. */
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  for (const agent of ["feat-a", "feat-b", "feat-c"]) stage.script(agent, [{ do: "stall" }]);
});
afterEach(() => stage.dispose());

function pipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

const isPipe = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false;
const inRecord = (name: string) => join(stage.root, ".git/worktrees/feat-a", name);
const inWorktree = (name: string) => join(stage.worktree("feat-a"), name);

it.each([[".gitignore"], [".banksman/.gitignore"], ["deep/down/.gitattributes"]])(
  "a pipe at %s in one worktree holds up neither it nor the others; purge names it, and removes the rest",
  async (name) => {
    await stage.start("feat/a,feat/b");
    pipe(inWorktree(name));
    await stage.ok("add", "feat/c", "--cli", "scripted");
    await stage.ok("stop");
    // The one file is ours to write, and that agent fails by a sentence; the others are as ever.
    const own = name === ".banksman/.gitignore" ? "failed" : "working";
    await stage.bm("start", "--headless");
    expect((await stage.status()).agents.map(({ state }) => state)).toEqual([own, "working", "working"]);
    const { err, out } = await stage.bm("purge", "--force");
    expect(`${out}${err}`).toMatch(new RegExp(`${name.replaceAll(".", "\\.")} is not a regular file`));
    expect(["feat-a", "feat-b", "feat-c"].map((agent) => existsSync(stage.worktree(agent)))).toEqual([
      true,
      false,
      false,
    ]);
    rmSync(inWorktree(name));
    await stage.ok("purge", "--force");
    expect(existsSync(stage.worktree("feat-a"))).toBe(false);
  },
);

it.each([[["HEAD"]], [["commondir", "config.worktree"]], [["gitdir", "locked"]]])(
  "pipes at %s of git's own record of a worktree are taken away, and everything goes on",
  async (names) => {
    await stage.start("feat/a,feat/b");
    for (const name of names) pipe(inRecord(name));
    await stage.ok("add", "feat/c", "--cli", "scripted");
    await stage.ok("stop");
    await stage.bm("start", "--headless");
    expect((await stage.status()).agents.filter(({ state }) => state === "working").length).toBeGreaterThanOrEqual(2);
    await stage.bm("purge", "--force");
    expect(["feat-b", "feat-c"].map((agent) => existsSync(stage.worktree(agent)))).toEqual([false, false]);
    expect(names.filter((name) => isPipe(inRecord(name)))).toEqual([]);
  },
);
