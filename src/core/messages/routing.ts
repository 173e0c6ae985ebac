import { type AgentId, EVERYONE, SUPERVISOR } from "../text/ids.ts";
import type { Message } from "./messages.ts";

export interface Route {
  readonly sender: AgentId;
  /** Inboxes the message lands in; `*` is everyone's but the sender's; empty is the log alone. */
  readonly to: readonly AgentId[];
}

/**
 * Who hears a message. An inbox is a query, so nothing is dropped because its reader is not there yet; `blocked` also
 * reaches the supervisor, because the landing graph is built from its inbox.
 */
export function route(message: Message): Route {
  switch (message.type) {
    case "agent.status":
      return { sender: message.agent_id, to: [] };
    case "agent.retract":
      return { sender: message.payload.by ?? message.agent_id, to: [EVERYONE] };
    case "agent.artifact":
    case "agent.intent":
      return { sender: message.agent_id, to: [EVERYONE] };
    case "agent.blocked":
      return { sender: message.agent_id, to: others(message.agent_id, [message.payload.from, SUPERVISOR]) };
    case "agent.question":
      return { sender: message.agent_id, to: others(message.agent_id, [SUPERVISOR]) };
    case "agent.verified":
      return { sender: message.payload.verified_by, to: [EVERYONE] };
    case "agent.feedback":
    case "agent.answer":
      return { sender: message.payload.from, to: [message.agent_id] };
    case "agent.advanced-main":
      return { sender: message.from, to: [EVERYONE] };
    case "agent.learning":
      return { sender: message.payload.agent_id, to: [message.payload.branch_id ?? SUPERVISOR] };
    case "supervisor.verify-now":
      return { sender: SUPERVISOR, to: [SUPERVISOR] };
  }
}

/** Each once; what a supervisor asks itself is for a person, and not news to it. */
const others = (sender: AgentId, ids: readonly AgentId[]) => [...new Set(ids)].filter((id) => id !== sender);
