import type { AgentId } from "../text/ids.ts";
import type { MessageType } from "./messages.ts";
import type { Question } from "./questions.ts";

/** What a token may do. An agent is hijackable; a supervisor is a model in pane 0; an operator is the person. */
export type Role = "agent" | "supervisor" | "operator";

export interface Identity {
  readonly role: Role;
  /** Whose voice it has. The operator has none of its own: it may speak for the supervisor. */
  readonly agent: AgentId;
}

const AGENT_SAYS: readonly MessageType[] = [
  "agent.status",
  "agent.artifact",
  "agent.blocked",
  "agent.question",
  "agent.intent",
  "agent.retract",
];
const SUPERVISOR_SAYS: readonly MessageType[] = [
  ...AGENT_SAYS,
  "agent.feedback",
  "agent.answer",
  "agent.verified",
  "agent.learning",
];

/** Whether a role may publish a type at all. */
export function maySay(role: Role, type: MessageType): boolean {
  if (role === "operator") return true;
  return (role === "agent" ? AGENT_SAYS : SUPERVISOR_SAYS).includes(type);
}

/** Whether an identity may speak as `sender`: nobody but the operator speaks for another. */
export function maySpeakAs(identity: Identity, sender: AgentId): boolean {
  return identity.role === "operator" || identity.agent === sender;
}

/** Whether an identity may read an inbox: its own, or any for the operator. */
export function mayRead(identity: Identity, inbox: AgentId): boolean {
  return identity.role === "operator" || identity.agent === inbox;
}

/** Permissions, decisions and what a supervisor asks itself are a person's to answer; what agents ask in words is not. */
export function maySettle({ role, agent }: Identity, question: Pick<Question, "kind" | "agent">): boolean {
  if (role === "operator") return true;
  if (role !== "supervisor") return false;
  return question.kind === "conflict" || (question.kind === "question" && question.agent !== agent);
}

/** Log, snapshot and events show everything, other agents' words included: nothing for an agent to see. */
export const mayOversee = (role: Role): boolean => role !== "agent";
