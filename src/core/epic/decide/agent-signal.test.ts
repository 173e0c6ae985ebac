import { expect, it } from "vitest";
import { agentSignal } from "./agent-signal.ts";

const seen = "2026-05-08T02:14:00.000Z";
const pane = { id: "%1", position: 1 };
const exit = (code: number) => ({ item: "t-1", kind: "exit", code, pr: "branch x" });
const alive = { item: "t-1", kind: "activity", at: Date.parse(seen) };

it.each([
  ["done", 7, null, exit(0)],
  ["failed", null, null, exit(1)],
  ["stopped", null, null, exit(130)],
  ["working", 7, null, alive],
  ["waiting", 7, pane, alive],
  ["committed", 7, null, alive],
  ["committed", null, null, exit(0)],
  ["committed", 7, pane, exit(0)],
] as const)("an agent that is %s (process %o, pane %o) is heard as what it is", (state, pid, where, signal) => {
  expect(agentSignal("t-1", { state, pid, pane: where, lastSeen: seen }, "branch x")).toEqual(signal);
});

it("says nothing of one that nobody has heard of yet", () => {
  expect(agentSignal("t-1", { state: "starting", pid: 7, pane: null, lastSeen: null }, null)).toBe(null);
});
