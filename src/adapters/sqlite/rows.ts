import type { StoredMessage } from "../../core/messages/messages.ts";
import type { RosterEntry } from "../../core/messages/roster.ts";
import type { Change } from "../../core/record/changes.ts";
import type { Value } from "./connection.ts";

/**
 * Commits as they travel to the journal's thread, many in one. Nearly everything that is stored is a message and its
 * sender's roster row: those go as flat lists of values, bodies as JSON already, because copying objects between threads
 * and writing them row by row cost more than all the rest (33 µs of CPU per message in that thread; so it is 8).
 */
export interface Rows {
  /** MESSAGE_COLUMNS each. */
  readonly messages: Value[];
  /** Recipient and seq each. */
  readonly inbox: Value[];
  /** Agent and body each. */
  readonly roster: Value[];
  /** Agents whose roster row goes. */
  readonly dropped: string[];
  readonly rest: Change[];
}

export const MESSAGE_COLUMNS = ["seq", "id", "at", "type", "sender", "recipients", "body", "key", "re"] as const;

export function rowsOf(commits: readonly (readonly Change[])[]): Rows {
  const rows: Rows = { messages: [], inbox: [], roster: [], dropped: [], rest: [] };
  // Of commits that travel together only an agent's last row matters.
  const roster = new Map<string, RosterEntry | null>();
  for (const changes of commits) {
    for (const change of changes) {
      if (change.row === "message") addMessage(rows, change.put);
      else if (change.row !== "roster") rows.rest.push(change);
      else if ("drop" in change) roster.set(change.drop, null);
      else roster.set(change.put.agent, change.put);
    }
  }
  for (const [agent, entry] of roster) {
    if (entry === null) rows.dropped.push(agent);
    else rows.roster.push(agent, JSON.stringify(entry));
  }
  return rows;
}

function addMessage(rows: Rows, { seq, id, at, sender, to, message, key, re }: StoredMessage): void {
  const recipients = to.length === 0 ? "[]" : JSON.stringify(to);
  rows.messages.push(seq, id, at, message.type, sender, recipients, JSON.stringify(message), key, re);
  for (const recipient of to) rows.inbox.push(recipient, seq);
}
