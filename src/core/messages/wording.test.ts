import { expect, it } from "vitest";
import { type AgentId, SUPERVISOR } from "../text/ids.ts";
import { sentence } from "./wording.ts";

it("says whose work is verified: everybody hears it, and it is the supervisor who speaks", () => {
  const payload = { verified_by: SUPERVISOR, message: "test pass (11 tests)" };
  expect(sentence({ type: "agent.verified", agent_id: "feat-a" as AgentId, payload })).toBe(
    "feat-a is verified by supervisor: test pass (11 tests)",
  );
});
