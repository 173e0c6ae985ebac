import { describe, expect, it } from "vitest";
import type { Assignment } from "../agents/assignment.ts";
import { CONFLICT_LANE } from "../conflicts/open-conflicts.ts";
import type { JournalView } from "../record/journal-view.ts";
import { send } from "../record/lane.ts";
import type { Branch, Instant } from "../text/ids.ts";
import { endSession } from "./end-session.ts";
import {
  decideStart,
  effectiveStatus,
  nameLater,
  notInEffect,
  recoveredAs,
  SESSION_LANE,
  type Session,
  type Wishes,
} from "./session.ts";

const session = (status: Session["status"]): Session => ({
  name: "s",
  project: "p",
  root: "/",
  base: "main" as Branch,
  placement: "child",
  arrangement: null,
  conflicts: null,
  nudge: true,
  verify: true,
  land: { mode: "manual", strategy: "train", target: null },
  createdAt: 0 as Instant,
  after: 0,
  broker: true,
  allowed: [],
  owned: {},
  status,
});
const run = (branch: string, wanted: Assignment["wanted"], how: string | null = null) =>
  ({ branch, wanted, ended: how === null ? null : { how } }) as unknown as Assignment;

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
])("start with %s", (_, recorded, assignments, branches, expected) => {
  expect(decideStart(recorded, assignments, branches.split(" ").filter(Boolean) as Branch[]).do).toBe(expected);
});

it.each([
  [null, true, "none"],
  [session("active"), true, "active"],
  [session("active"), false, "stopped"],
  [session("stopped"), true, "stopped"],
] as const)("is what is so, not what was recorded (%#)", (recorded, supervised, expected) => {
  expect(effectiveStatus(recorded, [], supervised)).toBe(expected);
});

it.each([
  ["nobody runs any more", [["stopped"], ["stopped"]], "stopped"],
  ["one had finished, and the other was stopped", [["ok"], ["stopped"]], "stopped"],
  ["all have finished", [["ok"], ["ok"]], "active"],
  ["one has failed", [["error"], ["stopped"]], "active"],
] as const)("with a supervisor and agents of which %s is %s", (_, ends, expected) => {
  const agents = ends.map(([how]) => ({ live: null, ended: { how } }) as unknown as Assignment);
  expect(effectiveStatus(session("active"), agents, true)).toBe(expected);
});

describe("a session that is started again", () => {
  const conflict = { windowSeconds: 1, warnOnIntentOverlap: true, escalateOnViolation: true };
  const wishes: Wishes = {
    supervisor: null,
    broker: true,
    nudge: true,
    conflict,
    verify: true,
    land: { mode: "manual", strategy: "train", target: null } as const,
    owned: {},
  };
  const inTmux: Session = { ...session("stopped"), arrangement: "broker" };
  const supervised: Session = { ...session("stopped"), arrangement: "supervisor", conflicts: conflict };

  it("stays as it was where nothing is said", () => {
    expect(recoveredAs(inTmux, wishes)).toMatchObject({ arrangement: "broker", conflicts: null });
    expect(recoveredAs(supervised, wishes)).toMatchObject({ arrangement: "supervisor", conflicts: conflict });
    expect(recoveredAs(session("stopped"), wishes).arrangement).toBe(null);
  });
  it("takes what open specs own as it is now, and says nothing of it while it runs", () => {
    const owned = { "spec/auth": ["src/auth/"] };
    expect(recoveredAs(inTmux, { ...wishes, owned })).toMatchObject({ owned });
    expect(notInEffect(inTmux, { ...wishes, owned })).toEqual([]);
  });
  it("follows the command line and the config", () => {
    expect(recoveredAs(supervised, { ...wishes, supervisor: false })).toMatchObject({
      arrangement: "broker",
      conflicts: null,
    });
    expect(recoveredAs(inTmux, { ...wishes, supervisor: true })).toMatchObject({
      arrangement: "supervisor",
      conflicts: conflict,
    });
    expect(recoveredAs(inTmux, { ...wishes, broker: false })).toMatchObject({ arrangement: "plain", broker: false });
    expect(recoveredAs(supervised, { ...wishes, conflict: { ...conflict, windowSeconds: 9 } }).conflicts).toMatchObject(
      {
        windowSeconds: 9,
      },
    );
  });
  it("says, while it runs, what it does not follow yet", () => {
    expect(notInEffect(inTmux, wishes)).toEqual([]);
    expect(notInEffect(inTmux, { ...wishes, supervisor: true, broker: true, nudge: false })).toEqual([
      "[supervisor] enabled",
      "[supervisor] verify_on_commit_nudge",
    ]);
    expect(notInEffect(supervised, { ...wishes, conflict: { ...conflict, windowSeconds: 9 } })).toEqual([
      "[supervisor.conflict]",
    ]);
    expect(notInEffect(inTmux, { ...wishes, broker: false })).toEqual(["[broker] enabled"]);
  });
  it("names the flag where a flag has said so", () => {
    const later = ["[supervisor] enabled", "[broker] enabled"];
    expect(nameLater(later, undefined)).toEqual(later);
    expect(nameLater(later, false)).toEqual(["--no-supervisor", "[broker] enabled"]);
    expect(nameLater(later, true)).toEqual(["--supervisor", "[broker] enabled"]);
  });
  it("forgets what it had allowed only when it ends", () => {
    const { reduce } = SESSION_LANE.rules;
    const allowed = reduce(supervised, { type: "allowed", command: "npm test" });
    expect(allowed?.allowed).toEqual(["npm test"]);
    expect(reduce(allowed, { type: "allowed", command: "npm test" })).toBe(allowed);
    expect(reduce(allowed, { type: "recovered", as: recoveredAs(supervised, wishes) })).toMatchObject({
      status: "active",
      allowed: ["npm test"],
    });
  });
});

it.each([
  ["there", run("main", "up"), "reattach"],
  ["gone by itself, however", run("main", "up", "ok"), "recover"],
  ["stopped", run("main", "down", "stopped"), "recover"],
])("a model in pane 0 that is %s: %s", (_, supervising, expected) => {
  expect(decideStart(session("active"), [run("a", "up")], [], supervising).do).toBe(expected);
});

it("one that ends leaves no alarm: who was in whose way, and what agents were told of it, is forgotten", () => {
  const view = { openQuestions: new Map(), head: 7 } as unknown as JournalView;
  expect(endSession(view, 1 as Instant).sends).toContainEqual(
    send(CONFLICT_LANE, { type: "found", open: [], told: [] }),
  );
});
