import { expect, it } from "vitest";
import { toEpicSettings } from "./epic.ts";
import { rowFor } from "./schema.ts";

const settings = (values: Record<string, unknown>) =>
  toEpicSettings(new Map(Object.entries(values)), (key) => rowFor(key)?.default);

it("has the seed's numbers, and the five workers, where nothing is said", () => {
  const { policy, loopMinutes, roles, notify } = settings({});
  expect([policy.window, policy.recurring, policy.stalledMs, policy.reactHalts, policy.attempts, policy.rows]).toEqual([
    8, 3, 14_400_000, 2, 3, 16,
  ]);
  expect([[...policy.workers.keys()], loopMinutes, roles.size, notify]).toEqual([
    ["claude", "codex", "gemini", "opencode", "pi"],
    30,
    0,
    null,
  ]);
});

it("takes workers and roles by name, pauli and marsha too", () => {
  const { policy, roles } = settings({
    "workers.claude.capacity": 1,
    "workers.hand.command": ["do", "{item}"],
    "roles.pauli.command": ["plan"],
    "roles.verifier.command": ["verify"],
    "roles.verifier.timeout_seconds": 5,
  });
  expect(policy.workers.get("claude")).toMatchObject({ capacity: 1, mode: "session" });
  expect(policy.workers.get("hand")).toMatchObject({ capacity: 2, mode: "command", command: ["do", "{item}"] });
  expect([...roles]).toEqual([
    ["planner", { command: ["plan"], cli: null, timeoutSeconds: 600 }],
    ["verifier", { command: ["verify"], cli: null, timeoutSeconds: 5 }],
  ]);
});
