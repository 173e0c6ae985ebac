import { expect, it } from "vitest";
import { draw, NOW, read } from "../../../test/epics/sketch.ts";
import { planTick } from "./plan.ts";
import { DEFAULT_POLICY } from "./policy.ts";

it("offers the planner nobody who has his hands full", () => {
  const workers = new Map([...DEFAULT_POLICY.workers].map(([name, worker]) => [name, { ...worker, capacity: 1 }]));
  const epic = read(draw({ items: "a in_progress claude active=0; b queued", status: "in_progress" }));
  const { request } = planTick(epic, NOW, [], { ...DEFAULT_POLICY, workers });
  expect(request?.brief).toMatchObject({ role: "preflight", workers: ["codex", "gemini", "opencode", "pi"] });
});
