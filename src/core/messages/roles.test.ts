import { describe, expect, it } from "vitest";
import { ACTION_TYPES, type ActionType } from "../actions/actions.ts";
import { mayAsk } from "../actions/may-ask.ts";
import type { AgentId } from "../text/ids.ts";
import { MESSAGE_TYPES, type MessageType } from "./messages.ts";
import type { QuestionKind } from "./questions.ts";
import { mayOversee, mayRead, maySay, maySettle, maySpeakAs, type Role } from "./roles.ts";

const ROLES: readonly Role[] = ["agent", "supervisor", "operator"];

/** Every cell, written out: a dash is a refusal. */
const SAYS: Record<MessageType, string> = {
  "agent.status": "agent supervisor operator",
  "agent.artifact": "agent supervisor operator",
  "agent.blocked": "agent supervisor operator",
  "agent.question": "agent supervisor operator",
  "agent.intent": "agent supervisor operator",
  "agent.retract": "agent supervisor operator",
  "agent.verified": "- supervisor operator",
  "agent.feedback": "- supervisor operator",
  "agent.answer": "- supervisor operator",
  "agent.learning": "- supervisor operator",
  "agent.advanced-main": "- - operator",
  "supervisor.verify-now": "- - operator",
};
const ASKS: Record<ActionType, string> = {
  start: "- - operator",
  add: "- - operator",
  stop: "- - operator",
  pause: "- - operator",
  resume: "- - operator",
  remove: "- - operator",
  purge: "- - operator",
  restore: "- - operator",
  shutdown: "- - operator",
  retract: "- - operator",
  tell: "- supervisor operator",
  answer: "- supervisor operator",
  verify: "- supervisor operator",
  land: "- - operator",
  "land-cancel": "- - operator",
  "land-undo": "- - operator",
};

const cells = <T extends string>(types: readonly T[], table: Record<T, string>) =>
  types.flatMap((type) => ROLES.map((role) => [role, type, table[type].split(" ").includes(role)] as const));

it.each(cells(MESSAGE_TYPES, SAYS))("%s says %s: %s", (role, type, may) => expect(maySay(role, type)).toBe(may));
it.each(cells(ACTION_TYPES, ASKS))("%s asks for %s: %s", (role, type, may) => expect(mayAsk(role, type)).toBe(may));

it("lets pane 0 land only where a person has allowed it, and agents never", () => {
  expect([mayAsk("supervisor", "land"), mayAsk("supervisor", "land", ["land"])]).toEqual([false, true]);
  expect([mayAsk("agent", "land", ["land"]), mayAsk("supervisor", "purge", ["land"])]).toEqual([false, false]);
});

describe("identity", () => {
  const who = (role: Role, agent: string) => ({ role, agent: agent as AgentId });
  it("speaks and reads for itself alone, except the operator", () => {
    for (const role of ROLES) {
      expect(maySpeakAs(who(role, "a"), "a" as AgentId)).toBe(true);
      expect(mayRead(who(role, "a"), "a" as AgentId)).toBe(true);
      expect(maySpeakAs(who(role, "a"), "b" as AgentId)).toBe(role === "operator");
      expect(mayRead(who(role, "a"), "b" as AgentId)).toBe(role === "operator");
      expect(mayOversee(role)).toBe(role !== "agent");
    }
  });
  it("settles what agents ask in words, and their conflicts; permissions, decisions and its own questions are a person's", () => {
    const asked = (kind: QuestionKind, agent: string | null = "a") => ({ kind, agent: agent as AgentId | null });
    const supervisor = who("supervisor", "supervisor");
    expect(maySettle(supervisor, asked("question"))).toBe(true);
    expect(maySettle(supervisor, asked("question", "supervisor"))).toBe(false);
    expect(maySettle(supervisor, asked("conflict", "supervisor"))).toBe(true);
    for (const kind of ["approval", "gate", "decision"] as const)
      expect(maySettle(supervisor, asked(kind))).toBe(false);
    for (const kind of ["question", "approval", "decision"] as const) {
      expect(maySettle(who("operator", "operator"), asked(kind))).toBe(true);
      expect(maySettle(who("agent", "b"), asked(kind))).toBe(false);
    }
  });
});
