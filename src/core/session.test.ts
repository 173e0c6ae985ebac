import { expect, it } from "vitest";
import type { Branch, Instant } from "./ids.ts";
import type { Run } from "./run.ts";
import { decideStart, effectiveStatus, type Session } from "./session.ts";

const session = (status: Session["status"]): Session => ({
  name: "s",
  project: "p",
  root: "/",
  base: "main" as Branch,
  placement: "child",
  arrangement: null,
  createdAt: 0 as Instant,
  status,
});
const run = (branch: string, wanted: Run["wanted"], how: string | null = null) =>
  ({ branch, wanted, ended: how === null ? null : { how } }) as unknown as Run;

it.each([
  ["nothing recorded", null, [], "a", "fresh"],
  ["a session without agents", session("active"), [], "a", "fresh"],
  ["active, all up", session("active"), [run("a", "up"), run("b", "up")], "", "reattach"],
  ["active, one finished", session("active"), [run("a", "up", "ok"), run("b", "up")], "", "reattach"],
  ["active, one failed", session("active"), [run("a", "up", "error"), run("b", "up")], "", "recover"],
  ["active, one stopped", session("active"), [run("a", "down", "stopped"), run("b", "up")], "", "recover"],
  ["stopped", session("stopped"), [run("a", "down", "stopped")], "", "recover"],
  ["the same branches named again", session("active"), [run("a", "up")], "a", "reattach"],
  ["other branches named", session("active"), [run("a", "up")], "a b", "refuse"],
])("start with %s", (_, recorded, runs, branches, expected) => {
  expect(decideStart(recorded, runs, branches.split(" ").filter(Boolean) as Branch[]).do).toBe(expected);
});

it.each([
  [null, true, "none"],
  [session("active"), true, "active"],
  [session("active"), false, "stopped"],
  [session("stopped"), true, "stopped"],
] as const)("is what is so, not what was recorded (%#)", (recorded, supervised, expected) => {
  expect(effectiveStatus(recorded, supervised)).toBe(expected);
});

it.each([
  ["there", run("main", "up"), "reattach"],
  ["gone by itself, however", run("main", "up", "ok"), "recover"],
  ["stopped", run("main", "down", "stopped"), "recover"],
])("a model in pane 0 that is %s: %s", (_, supervising, expected) => {
  expect(decideStart(session("active"), [run("a", "up")], [], supervising).do).toBe(expected);
});
