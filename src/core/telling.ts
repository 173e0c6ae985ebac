import { type Cursor, hasReached } from "./cursors.ts";
import type { StoredMessage } from "./messages.ts";
import { wakes } from "./waking.ts";

const MOST_AT_ONCE = 50;

export interface Telling {
  readonly messages: readonly StoredMessage[];
  /** Up to here everything that wakes it has been told. */
  readonly told: number;
  /** Nothing that does not wake it waits below. */
  readonly nothingElse: boolean;
}

/** What to tell an agent of its unread messages: those that wake it and that it has not been told. */
export function pickTelling(cursor: Cursor, unread: readonly StoredMessage[]): Telling {
  const waking = unread.filter(
    ({ seq, message }) => wakes(message.type, cursor.agent) && !hasReached(cursor, seq, message.type),
  );
  const messages = waking.slice(0, MOST_AT_ONCE);
  const told = Math.max(cursor.told, ...messages.map(({ seq }) => seq));
  const nothingElse = unread.every(({ seq, message }) => seq > told || wakes(message.type, cursor.agent));
  return { messages, told, nothingElse };
}
