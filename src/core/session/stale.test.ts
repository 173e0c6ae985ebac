import { describe, expect, it } from "vitest";
import type { Branch } from "../text/ids.ts";
import { judgeState, judgeWorktree, type StateSeen, type WorktreeSeen } from "./stale.ts";

const LEFT: WorktreeSeen = {
  path: "/r/.banksman/worktrees/feat-a",
  branch: "feat/a" as Branch,
  ours: true,
  missing: false,
  known: false,
  inUse: false,
};

describe("a worktree", () => {
  it.each<readonly [string, Partial<WorktreeSeen>, boolean | null]>([
    ["that nobody works in goes", {}, true],
    ["beside the checkout, too", { path: "/r-feat-a" }, true],
    ["whose folder is gone goes", { missing: true, inUse: null, branch: null }, true],
    ["of a run is not stale", { known: true }, null],
    ["of a run is not stale when its folder is gone", { known: true, missing: true }, null],
    ["that we did not make, or gave away, is not ours", { ours: false }, null],
    ["at another place is not ours", { path: "/elsewhere/feat-a" }, null],
    ["in which a program stands stays", { inUse: true }, false],
    ["of which that is not known stays", { inUse: null }, false],
    ["on no branch stays", { branch: null }, false],
  ])("%s", (_, more, goes) => {
    expect(judgeWorktree("/r", { ...LEFT, ...more })?.goes ?? null).toBe(goes);
  });
});

describe("a state folder", () => {
  const GONE: StateSeen = { root: "/p/r", there: false, aboveThere: true, running: false };
  it.each<readonly [string, Partial<StateSeen>, boolean | null]>([
    ["of a repository that is gone goes", {}, true],
    ["of one that is there is not stale", { there: true }, null],
    ["that does not say whose it is is left alone", { root: null }, null],
    ["with a supervisor stays", { running: true }, false],
    ["of one on a disk that may be missing stays", { aboveThere: false }, false],
  ])("%s", (_, more, goes) => {
    expect(judgeState({ ...GONE, ...more })?.goes ?? null).toBe(goes);
  });
});
