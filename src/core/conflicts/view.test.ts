import { expect, it } from "vitest";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Plans } from "./plans.ts";
import { drawConflicts } from "./view.ts";

const agent = (name: string, plans: Partial<Omit<Plans, "intent">> & { claims?: string[] }): Plans => ({
  agent: name as AgentId,
  files: plans.files ?? [],
  owned: plans.owned ?? [],
  intent:
    plans.claims === undefined
      ? null
      : {
          agent: name as AgentId,
          claims: plans.claims,
          summary: "s",
          expiresAt: 9_000 as Instant,
          since: (name.length * 1000) as Instant,
        },
});

const facts = { open: [], pairs: [], unknown: [], checkedAt: 1_000 as Instant, now: 5_000 as Instant };

it("shows plans that meet, files that are shared, and what is another's", () => {
  const open = [
    { between: ["a", "bb"] as [AgentId, AgentId], path: "x", since: 2_000 as Instant, decided: false },
    { between: ["a", "bb"] as [AgentId, AgentId], path: "y", since: 1_000 as Instant, decided: true },
  ];
  const plans = [
    agent("a", { claims: ["src/"], files: ["x", "z"] }),
    agent("bb", { claims: ["src/a", "x"], owned: ["z"] }),
  ];
  expect(drawConflicts({ ...facts, plans, open })).toEqual({
    forward: [{ between: ["a", "bb"], paths: ["src/a"], since: "1970-01-01T00:00:02.000Z" }],
    inFlight: [{ between: ["a", "bb"], paths: ["x", "y"], since: "1970-01-01T00:00:01.000Z" }],
    ownership: [{ between: ["a", "bb"], paths: ["x", "z"], since: "1970-01-01T00:00:02.000Z" }],
    predicted: [],
    checkedAt: "1970-01-01T00:00:01.000Z",
  });
});

it("shows what would not merge with its lines, and names what could not be looked at", () => {
  const files = [{ path: "x", kind: "content" as const, hunks: [] }];
  const pair = (outcome: "conflict" | "same-file") => ({
    between: ["a", outcome] as [string, string],
    base: false,
    since: 3_000 as Instant,
    prediction: { outcome, shared: ["x"], files: outcome === "conflict" ? files : [] },
  });
  const view = drawConflicts({ ...facts, plans: [], pairs: [pair("conflict"), pair("same-file")], unknown: ["c"] });
  expect(view.predicted).toEqual([
    { between: ["a", "conflict"], paths: ["x"], since: "1970-01-01T00:00:03.000Z", files },
  ]);
  expect(view.unknown).toEqual(["c"]);
});
