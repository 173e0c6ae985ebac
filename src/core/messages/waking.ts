import { type AgentId, SUPERVISOR } from "../text/ids.ts";
import type { MessageType } from "./messages.ts";

/** Kinds that are worth interrupting an agent for; the rest ride along with its next poll. */
export const WAKING_TYPES: readonly MessageType[] = ["agent.feedback", "agent.answer"];
/** A supervising model is also there for those who cannot go on by themselves. */
export const WAKING_SUPERVISOR: readonly MessageType[] = ["agent.question", "agent.blocked"];

export const wakes = (type: MessageType, reader: AgentId): boolean =>
  WAKING_TYPES.includes(type) || (reader === SUPERVISOR && WAKING_SUPERVISOR.includes(type));
