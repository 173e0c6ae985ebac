import { expect, it } from "vitest";
import { explain } from "./explain.ts";
import type { Failure } from "./failure.ts";
import type { AgentId, Branch } from "./ids.ts";

/** One of each kind: a failure that is missing here does not compile. */
const FAILURES = [
  { kind: "repository.none", path: "/p" },
  { kind: "repository.bare", path: "/p" },
  { kind: "repository.unborn" },
  { kind: "repository.detached" },
  { kind: "repository.unsafe", path: "/p" },
  { kind: "git.missing" },
  { kind: "git.old", version: "2.30", needed: "2.38" },
  { kind: "git.failed", command: "worktree add", detail: "fatal: x\nmore" },
  { kind: "branch.none" },
  { kind: "branch.invalid", branch: "-x", why: "it starts with `-`" },
  { kind: "branch.checked-out", branch: "main", path: "/p" },
  { kind: "branch.clash", branch: "a", other: "a/b" },
  { kind: "branch.in-session", branch: "a", agent: "a" as AgentId },
  { kind: "branch.moved", branch: "a" },
  { kind: "worktree.occupied", path: "/p" },
  { kind: "worktree.unsaved", agent: "a" as AgentId, files: 1, commits: 2 },
  { kind: "worktree.submodules", path: "/p" },
  { kind: "worktree.in-use", path: "/p" },
  { kind: "disk.full", path: "/p" },
  { kind: "file.failed", path: "/p", detail: "EACCES" },
  { kind: "cli.none" },
  { kind: "cli.unknown", cli: "x", known: [] },
  { kind: "cli.unknown", cli: "x", known: ["scripted"] },
  { kind: "cli.unsupported", cli: "claude" },
  { kind: "cli.untrusted", cli: "x" },
  { kind: "cli.not-found", cli: "x", command: "y" },
  { kind: "cli.ended-at-once", cli: "x", how: "exit code 1", log: "/l" },
  { kind: "config.problems", problems: [{ file: "c.toml", line: 3, key: "a", message: "a is not a setting" }] },
  { kind: "epic.unknown", epic: "x", looked: "/p", near: null },
  { kind: "epic.unknown", epic: "x", looked: "/p", near: "y" },
  { kind: "epic.exists", path: "/p" },
  { kind: "epic.corrupt", path: "/p", why: "it has no frontmatter" },
  { kind: "epic.moved", path: "/p" },
  { kind: "session.none" },
  { kind: "session.not-running" },
  { kind: "session.other-branches", extra: ["b"], present: ["a"] },
  { kind: "session.no-panes" },
  { kind: "agent.unknown", agent: "x", known: ["a"], near: null },
  { kind: "agent.unknown", agent: "x", known: [], near: null },
  { kind: "agent.unknown", agent: "x", known: ["y"], near: "y" },
  { kind: "agent.not-running", agent: "a" },
  { kind: "question.unknown", id: "q9", open: ["q1"] },
  { kind: "question.allow-or-deny", id: "q1" },
  { kind: "question.persons", id: "q1" },
  { kind: "backup.unknown", ref: "x", near: null },
  { kind: "backup.branch-moved", branch: "a" as Branch, ref: "r" },
  { kind: "supervisor.other", pid: 1, url: "http://x" },
  { kind: "supervisor.other", pid: null, url: null },
  { kind: "supervisor.silent", pid: 1 },
  { kind: "supervisor.silent", pid: null },
  { kind: "supervisor.start-failed", detail: "x", log: "/l" },
  { kind: "supervisor.protocol", theirs: 1, ours: 2 },
  { kind: "supervisor.none" },
  { kind: "worktree.changed", path: "/w" },
  { kind: "skill.problem", from: "SKILL.md", why: "no name" },
  { kind: "spec.none", looked: ["openspec/changes", "specs"] },
  { kind: "spec.several", found: ["openspec", "speckit"] },
  { kind: "spec.empty", type: "markdown", folder: "specs" },
  { kind: "spec.ambiguous", name: "0", candidates: ["001-a", "002-b"] },
  { kind: "spec.unknown", name: "x", known: ["a"], near: null },
  { kind: "ref.unknown", ref: "x" },
  { kind: "tmux.missing" },
  { kind: "tmux.old", version: "2.9", needed: "3.2" },
  { kind: "tmux.namesake", session: "bm-x-1234" },
  { kind: "tmux.failed", detail: "no space" },
  { kind: "journal.newer", found: 9, known: 1, path: "/j" },
  { kind: "forge.missing", program: "gh" },
  { kind: "forge.login" },
  { kind: "forge.no-repository" },
  { kind: "forge.failed", detail: "x" },
  { kind: "issue.unknown", number: 12, is: "pull request" },
  { kind: "issue.closed", number: 12, title: "A title" },
  { kind: "path.refused", path: "../x", why: "it leads out of the repository" },
  { kind: "claim.none", agent: "a", paths: ["x"], claimed: ["y"] },
  { kind: "claim.none", agent: "a", paths: [], claimed: [] },
  { kind: "journal.older", path: "/j" },
  { kind: "journal.unreadable", path: "/j", detail: "x" },
  { kind: "worktree.foreign", path: "/f" },
  { kind: "watch.refused", folder: "/f", detail: "x" },
  { kind: "store.full" },
  { kind: "store.moved" },
  { kind: "store.broken", detail: "x" },
  { kind: "log.gone", since: 3, kept: 7 },
  { kind: "request.refused", status: 401, message: "The token is unknown." },
  { kind: "told", told: "x", message: "A sentence.", hint: "A hint." },
  { kind: "usage", message: "A sentence.", hint: "A hint." },
  { kind: "needs-confirmation", what: "Remove it", flag: "--force" },
  { kind: "several", failures: [{ kind: "cli.none" }, { kind: "branch.none" }] },
  { kind: "cancelled" },
  { kind: "internal", detail: "x" },
] as const satisfies readonly Failure[];

type Missing = Exclude<Failure["kind"], (typeof FAILURES)[number]["kind"]>;
const nothingMissing: Missing extends never ? true : Missing = true;

it("knows every kind", () => expect(nothingMissing).toBe(true));

it.each(FAILURES)("$kind says what happened and what to do", (failure) => {
  const { message, hint } = explain(failure);
  for (const text of [message, hint]) {
    expect(text.length).toBeGreaterThan(5);
    expect(text).not.toMatch(/undefined|null|\[object|NaN/);
  }
});

it("lets no hostile name reach a terminal as it is", () => {
  expect(explain({ kind: "branch.invalid", branch: "\u001b[2J", why: "x" }).message).not.toContain("\u001b");
});
