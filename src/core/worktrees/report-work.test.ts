import { expect, it } from "vitest";
import type { AgentId, Branch, Commit } from "../text/ids.ts";
import { branchLoss, patchStatus, reportWork, type WorkFacts, type WorktreeStatus } from "./report-work.ts";

const seen = (files: string[], content = "", branch: string | null = "feat/a"): WorktreeStatus => ({
  files: new Map(files.map((file) => [file, content])),
  branch: branch as Branch | null,
});

const news = (facts: Partial<WorkFacts> & Pick<WorkFacts, "now">) =>
  reportWork({
    agent: "feat-a" as AgentId,
    before: seen([]),
    committed: null,
    known: [],
    branch: "feat/a" as Branch,
    ...facts,
  });

const said = (facts: Parameters<typeof news>[0]) =>
  news(facts).messages.map((message) => {
    if (message.type === "agent.status") return `working: ${message.payload.modified_files.join(" ")}`;
    if (message.type === "agent.artifact")
      return `${message.payload.status}: ${message.payload.modified_files.join(" ")}`;
    return message.type === "agent.feedback" ? message.payload.errors[0] : message.type;
  });

it("says nothing of a worktree that is as it was", () => {
  expect(said({ now: seen([]) })).toEqual([]);
  expect(said({ before: seen(["a"]), known: ["a"], now: seen(["a"]) })).toEqual([]);
});

it("tells the whole set when it has changed, an empty one too", () => {
  expect(said({ before: seen(["a"]), known: ["a"], now: seen(["a", "b"]) })).toEqual(["working: a b"]);
  expect(said({ before: seen(["a"]), known: ["a"], now: seen([]) })).toEqual(["working: "]);
});

it("tells that a file it knew has changed again, as something that can wait", () => {
  const again = { before: seen(["a"], "1"), known: ["a"], now: seen(["a"], "2") };
  expect(said(again)).toEqual(["working: a"]);
  expect(news(again).minor).toBe(true);
  expect(news({ before: seen(["a"]), known: ["a"], now: seen(["b"]) }).minor).toBe(false);
});

it("leaves alone what an agent says of itself as long as nothing changes on disk", () => {
  expect(said({ before: seen([]), known: ["claimed"], now: seen([]) })).toEqual([]);
});

it("does not let an agent hide what it has modified: it is told beside what the agent says", () => {
  expect(said({ before: seen(["a", "b"]), known: [], now: seen(["a", "b"]) })).toEqual(["working: a b"]);
  expect(said({ before: seen(["a"]), known: ["claimed"], now: seen(["a"]) })).toEqual(["working: claimed a"]);
});

it("puts the roster right at the first look, and does not announce a clean worktree", () => {
  expect(said({ before: null, known: [], now: seen([]) })).toEqual([]);
  expect(said({ before: null, known: ["gone"], now: seen([]) })).toEqual(["working: "]);
  expect(said({ before: null, known: ["a", "b"], now: seen(["b", "a"]) })).toEqual([]);
});

it("tells a commit with its files, and what is left only where the commit does not explain it", () => {
  const before = seen(["a", "b"]);
  expect(said({ before, known: ["a", "b"], committed: ["a", "b"], now: seen([]) })).toEqual(["committed: a b"]);
  expect(said({ before, known: ["a", "b"], committed: ["a"], now: seen(["b"], "other") })).toEqual(["committed: a"]);
  expect(said({ before, known: ["a", "b"], committed: ["a"], now: seen(["b", "c"]) })).toEqual([
    "committed: a",
    "working: b c",
  ]);
});

it("says of commits that were made anew that they were", () => {
  const artifact = (anew: boolean) => news({ committed: ["a"], anew, now: seen([]) }).messages[0];
  expect([artifact(true), artifact(false)].map((each) => each && "payload" in each && "anew" in each.payload)).toEqual([
    true,
    false,
  ]);
});

it("warns whoever leaves its branch, once, and not in a rebase", () => {
  const astray = seen([], "", "main");
  expect(said({ now: astray })).toEqual([
    "[branch-guard] your worktree is on main, your branch is feat/a: `git switch feat/a` before you commit",
  ]);
  expect(said({ before: astray, now: astray })).toEqual([]);
  expect(said({ now: seen([], "", null) })).toEqual([]);
  expect(said({ now: astray, branch: null })).toEqual([]);
});

it("takes a look at some paths into what was seen before", () => {
  const before = seen(["a", "dir/x", "dir/y", "dirt", "z"], "1");
  const after = patchStatus(before, ["dir", "z", "new"], seen(["dir/y", "new"], "2", null));
  expect([...after.files]).toEqual([
    ["a", "1"],
    ["dir/y", "2"],
    ["dirt", "1"],
    ["new", "2"],
  ]);
  expect(after.branch).toBe(null);
});

it("warns of a branch that was deleted under its agent, and of no other HEAD without a commit", () => {
  const [own, last] = ["feat/a" as Branch, "c1" as Commit];
  expect(branchLoss(own, { branch: own, head: null, last })).toMatch(/`git branch feat\/a c1` brings it back/);
  expect(branchLoss(own, { branch: own, head: last, last })).toBe(null);
  expect(branchLoss(own, { branch: own, head: null, last: null })).toBe(null);
  expect(branchLoss(own, { branch: "fresh" as Branch, head: null, last })).toBe(null);
  expect(branchLoss(null, { branch: own, head: null, last })).toBe(null);
});
