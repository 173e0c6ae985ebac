import type { MessageType } from "./messages.ts";

/** Kinds that are worth interrupting an agent for; the rest ride along with its next poll. */
export const WAKING_TYPES: readonly MessageType[] = ["agent.feedback", "agent.answer"];

export const wakes = (type: MessageType): boolean => WAKING_TYPES.includes(type);
