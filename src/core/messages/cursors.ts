import type { AgentId, Instant } from "../text/ids.ts";
import type { MessageType } from "./messages.ts";
import { wakes } from "./waking.ts";

/** How far an agent has come in its inbox: what reached it, and what it had seen when it next gave a sign. */
export interface Cursor {
  readonly agent: AgentId;
  /** All of its inbox up to here. */
  readonly delivered: number;
  readonly deliveredAt: Instant | null;
  /** Beyond that, what wakes it up to here: told over its own channel. The rest waits for its next poll. */
  readonly told: number;
  readonly acted: number;
  readonly actedAt: Instant | null;
}

export const freshCursor = (agent: AgentId, from = 0): Cursor => ({
  agent,
  delivered: from,
  deliveredAt: null,
  told: from,
  acted: from,
  actedAt: null,
});

/** Moves only forward: a client that polls with an old cursor undoes nothing. */
export function reached(cursor: Cursor, seq: number, at: Instant): Cursor {
  return seq > cursor.delivered ? { ...cursor, delivered: seq, deliveredAt: at } : cursor;
}

/** Up to where an agent was told what wakes it, and whether nothing else waits below that. */
export interface Told {
  readonly seq: number;
  readonly nothingElse: boolean;
}

/** With nothing else waiting below, what it was told is all of its inbox. */
export function tellsOf(cursor: Cursor, { seq, nothingElse }: Told, at: Instant): Cursor {
  const told = { ...cursor, told: Math.max(cursor.told, seq) };
  return nothingElse ? reached(told, seq, at) : told;
}

/** The agent gave a sign: it acts knowing what had been delivered by then. */
export function signed(cursor: Cursor, at: Instant): Cursor {
  const known = Math.max(cursor.delivered, cursor.told);
  return known > cursor.acted ? { ...cursor, acted: known, actedAt: at } : cursor;
}

export function hasReached(cursor: Cursor, seq: number, type: MessageType): boolean {
  return seq <= cursor.delivered || (wakes(type, cursor.agent) && seq <= cursor.told);
}

export type ReceiptState = "queued" | "delivered" | "acted";

export function receiptOf(cursor: Cursor, seq: number, type: MessageType): ReceiptState {
  if (!hasReached(cursor, seq, type)) return "queued";
  return seq <= cursor.acted ? "acted" : "delivered";
}
