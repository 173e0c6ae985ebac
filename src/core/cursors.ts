import type { AgentId, Instant } from "./ids.ts";

/** How far an agent has come in its inbox: what reached it, and what it had seen when it next gave a sign. */
export interface Cursor {
  readonly agent: AgentId;
  readonly delivered: number;
  readonly deliveredAt: Instant | null;
  readonly acted: number;
  readonly actedAt: Instant | null;
}

export const freshCursor = (agent: AgentId): Cursor => ({
  agent,
  delivered: 0,
  deliveredAt: null,
  acted: 0,
  actedAt: null,
});

/** Moves only forward: a client that polls with an old cursor undoes nothing. */
export function reached(cursor: Cursor, seq: number, at: Instant): Cursor {
  return seq > cursor.delivered ? { ...cursor, delivered: seq, deliveredAt: at } : cursor;
}

/** The agent gave a sign: it acts knowing what had been delivered by then. */
export function signed(cursor: Cursor, at: Instant): Cursor {
  return cursor.delivered > cursor.acted ? { ...cursor, acted: cursor.delivered, actedAt: at } : cursor;
}

export type ReceiptState = "queued" | "delivered" | "acted";

export function receiptOf(cursor: Cursor, seq: number): ReceiptState {
  if (seq <= cursor.acted) return "acted";
  return seq <= cursor.delivered ? "delivered" : "queued";
}
