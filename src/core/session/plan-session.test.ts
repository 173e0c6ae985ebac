import { describe, expect, it } from "vitest";
import type { Failure } from "../failure/failure.ts";
import type { AgentId, Branch, Commit } from "../text/ids.ts";
import { type PlanRequest, planSession, type RepositoryFacts } from "./plan-session.ts";

const CLI = { name: "scripted", argv: ["x"], protocol: "events" as const, env: [], resumeArgs: [] };
const SET_UP = { copy: [".env"], symlink: [], command: "npm ci", timeoutSeconds: 9 };

function repository(over: Partial<RepositoryFacts> = {}): RepositoryFacts {
  const branches = new Map([
    ["main", "m0"],
    ["old", "o0"],
  ] as [Branch, Commit][]);
  const head = { branch: "main" as Branch, commit: "m0" as Commit };
  const worktrees = [{ path: "/w/app", branch: "main" as Branch, main: true }];
  return {
    root: "/w/app",
    head,
    branches,
    remoteBranches: new Map(),
    worktrees,
    occupied: new Set(),
    untrustedFilters: [],
    ...over,
  };
}

function plan(branches: string, over: Partial<RepositoryFacts> = {}, request: Partial<PlanRequest> = {}) {
  const asked = {
    session: "s",
    branches: branches.split(" ").filter(Boolean),
    placement: "child" as const,
    setUp: SET_UP,
    portBase: null,
    terminal: false,
    rebase: false,
    cli: () => CLI,
    brief: (agent: string) => `brief of ${agent}`,
    present: [],
    ...request,
  };
  return planSession(asked, repository(over));
}

const kinds = (problems: readonly Failure[]) => problems.map(({ kind }) => kind);

describe("where an agent works", () => {
  it("is a new branch from HEAD in a new worktree", () => {
    expect(plan("feat/a").assignments).toMatchObject([
      {
        agent: "feat-a",
        branch: "feat/a",
        worktree: "/w/app/.banksman/worktrees/feat-a",
        from: "m0",
        ours: { branch: true, worktree: true },
        brief: "brief of feat-a",
      },
    ]);
  });
  it("is an existing branch as it stands", () => {
    expect(plan("old").assignments).toMatchObject([{ from: null, ours: { branch: false, worktree: true } }]);
  });
  it("starts where the remote's branch is", () => {
    const remoteBranches = new Map([["feat/r", "r0"]] as [Branch, Commit][]);
    expect(plan("feat/r", { remoteBranches }).assignments).toMatchObject([{ from: "r0", ours: { branch: true } }]);
  });
  it("is the worktree that has the branch already, which is not set up again", () => {
    const worktrees = [...repository().worktrees, { path: "/w/mine", branch: "old" as Branch, main: false }];
    expect(plan("old", { worktrees }).assignments).toMatchObject([
      { worktree: "/w/mine", ours: { branch: false, worktree: false }, setUp: { copy: [], command: null } },
    ]);
  });
  it("is one for each branch, however often it is named", () => {
    expect(plan("feat/a feat/a").assignments.length).toBe(1);
  });
});

describe("a plan with problems", () => {
  it.each([
    ["", ["branch.none"]],
    ["-x", ["branch.invalid"]],
    ["main", ["branch.checked-out"]],
    ["old/new", ["branch.clash"]],
    ["a a/b", ["branch.clash", "branch.clash"]],
    ["-x main feat/ok", ["branch.invalid", "branch.checked-out"]],
  ])("%s → %j", (branches, expected) => expect(kinds(plan(branches).problems)).toEqual(expected));

  it("says when a path is taken by something else", () => {
    expect(kinds(plan("feat/a", { occupied: new Set(["/w/app/.banksman/worktrees/feat-a"]) }).problems)).toEqual([
      "worktree.occupied",
    ]);
  });
  it("says why there is no CLI", () => {
    expect(kinds(plan("feat/a", {}, { cli: () => ({ kind: "cli.none" }) }).problems)).toEqual(["cli.none"]);
  });
  it("refuses a coding CLI in a pane whose screen nobody knows; headless it may run, and so may any command", () => {
    const qwen = { cli: () => ({ ...CLI, name: "qwen", protocol: "qwen" }) };
    expect(kinds(plan("feat/a", {}, { ...qwen, terminal: true }).problems)).toEqual(["cli.no-screen"]);
    expect(plan("feat/a", {}, { ...qwen, terminal: false }).problems).toEqual([]);
    const mine = { cli: () => ({ ...CLI, name: "mine", protocol: "plain" }) };
    expect(plan("feat/a", {}, { ...mine, terminal: true }).problems).toEqual([]);
  });
  it("says when the branch has an agent already", () => {
    const present = [{ agent: "feat-a" as AgentId, branch: "feat/a" as Branch, port: null, position: 0 }];
    expect(kinds(plan("feat/a", {}, { present }).problems)).toEqual(["branch.in-session"]);
  });
});

it("gives later agents later seats and free ports", () => {
  const present = [{ agent: "x" as AgentId, branch: "x" as Branch, port: 4001, position: 3 }];
  const { assignments } = plan("feat/a feat/b feat/c", {}, { present, portBase: 4000 });
  expect(assignments.map(({ position, port }) => [position, port])).toEqual([
    [4, 4000],
    [5, 4002],
    [6, 4003],
  ]);
});
