import { expect, it } from "vitest";
import type { Message } from "./messages.ts";
import { route } from "./routing.ts";

it.each([
  [{ type: "agent.status", agent_id: "a", payload: {} }, "a", []],
  [{ type: "agent.artifact", agent_id: "a", payload: {} }, "a", ["*"]],
  [{ type: "agent.intent", agent_id: "a", payload: {} }, "a", ["*"]],
  [{ type: "agent.retract", agent_id: "a", payload: {} }, "a", ["*"]],
  [{ type: "agent.retract", agent_id: "a", payload: { by: "supervisor" } }, "supervisor", ["*"]],
  [{ type: "agent.blocked", agent_id: "a", payload: { from: "b" } }, "a", ["b", "supervisor"]],
  [{ type: "agent.blocked", agent_id: "a", payload: { from: "supervisor" } }, "a", ["supervisor"]],
  [{ type: "agent.question", agent_id: "a", payload: {} }, "a", ["supervisor"]],
  [{ type: "agent.question", agent_id: "supervisor", payload: {} }, "supervisor", []],
  [{ type: "agent.blocked", agent_id: "supervisor", payload: { from: "b" } }, "supervisor", ["b"]],
  [{ type: "agent.verified", agent_id: "a", payload: { verified_by: "supervisor" } }, "supervisor", ["*"]],
  [{ type: "agent.feedback", agent_id: "a", payload: { from: "supervisor" } }, "supervisor", ["a"]],
  [{ type: "agent.answer", agent_id: "a", payload: { from: "supervisor" } }, "supervisor", ["a"]],
  [{ type: "agent.advanced-main", from: "supervisor" }, "supervisor", ["*"]],
  [{ type: "agent.learning", payload: { agent_id: "supervisor", branch_id: "a" } }, "supervisor", ["a"]],
  [{ type: "agent.learning", payload: { agent_id: "supervisor" } }, "supervisor", ["supervisor"]],
  [{ type: "supervisor.verify-now", branch_id: "a" }, "supervisor", ["supervisor"]],
])("%j goes from %s to %j", (message, sender, to) => {
  expect(route(message as unknown as Message)).toEqual({ sender, to });
});
