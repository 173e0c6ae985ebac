import { Failed } from "../../core/failure/failed.ts";
import { isPending } from "../../core/messages/questions.ts";
import type { Change } from "../../core/record/changes.ts";
import type { Connection, Value } from "./connection.ts";
import { readHead } from "./read.ts";
import { MESSAGE_COLUMNS, type Rows } from "./rows.ts";

/** Puts rows into the open transaction. Throws `store.moved` when the writer's memory is behind the journal. */
export function writeRows(db: Connection, { messages, inbox, roster, dropped, rest }: Rows): void {
  requireNext(db, messages);
  db.insertMany(INSERT_MESSAGES, MESSAGE_COLUMNS.length, messages);
  db.insertMany(INSERT_INBOX, 2, inbox);
  db.insertMany(UPSERT_ROSTER, 2, roster);
  for (const agent of dropped) db.run("DELETE FROM roster WHERE agent = ?", agent);
  for (const change of rest) writeChange(db, change);
}

const INSERT_MESSAGES = `INSERT INTO messages (${MESSAGE_COLUMNS.join(", ")}) VALUES ROWS`;
const INSERT_INBOX = "INSERT INTO inbox (recipient, seq) VALUES ROWS";
const UPSERT_ROSTER =
  "INSERT INTO roster (agent, body) VALUES ROWS ON CONFLICT (agent) DO UPDATE SET body = excluded.body";

/** Each message follows the one before it, the first of them the head. */
function requireNext(db: Connection, messages: readonly Value[]): void {
  if (messages.length === 0) return;
  let head = readHead(db);
  for (let i = 0; i < messages.length; i += MESSAGE_COLUMNS.length)
    if (messages[i] !== ++head) throw new Failed({ kind: "store.moved" });
}

function writeChange(db: Connection, change: Change): void {
  switch (change.row) {
    case "lane": {
      if ("drop" in change) return db.run("DELETE FROM lanes WHERE lane = ?", change.drop);
      const { lane, version, state } = change.put;
      const last = db.number("SELECT version AS value FROM lanes WHERE lane = ?", lane);
      if (version !== last + 1) throw new Failed({ kind: "store.moved" });
      return db.run(upsert("lanes", "lane", "version", "state"), lane, version, JSON.stringify(state));
    }
    case "message":
    case "roster":
      throw new Error("unreachable: they travel as values");
    case "intent":
      if ("drop" in change) return db.run("DELETE FROM intents WHERE agent = ?", change.drop);
      return db.run(upsert("intents", "agent", "body"), change.put.agent, JSON.stringify(change.put));
    case "question": {
      const settled = isPending(change.put) ? 0 : 1;
      return db.run(
        upsert("questions", "number", "settled", "body"),
        change.put.number,
        settled,
        JSON.stringify(change.put),
      );
    }
    case "cursor": {
      if ("drop" in change) return db.run("DELETE FROM cursors WHERE agent = ?", change.drop);
      const { agent, delivered, deliveredAt, told, acted, actedAt } = change.put;
      const sql = upsert("cursors", "agent", "delivered", "delivered_at", "told", "acted", "acted_at");
      return db.run(sql, agent, delivered, deliveredAt, told, acted, actedAt);
    }
    case "token": {
      if ("drop" in change) return db.run("DELETE FROM tokens WHERE run = ?", change.drop);
      const { digest, run, agent, role } = change.put;
      return db.run("INSERT INTO tokens (digest, run, agent, role) VALUES (?, ?, ?, ?)", digest, run, agent, role);
    }
    case "effect": {
      if ("settle" in change) {
        const sql = "UPDATE effects SET settled_at = ?, outcome = ? WHERE id = ?";
        return db.run(sql, change.at, JSON.stringify(change.outcome), change.settle);
      }
      const { id, lane, at, effect } = change.put;
      return db.run(
        "INSERT INTO effects (id, lane, at, body) VALUES (?, ?, ?, ?)",
        id,
        lane,
        at,
        JSON.stringify(effect),
      );
    }
    case "setting":
      return db.run(upsert("settings", "key", "value"), change.put.key, change.put.value);
  }
}

const UPSERTS = new Map<string, string>();

/** `INSERT … ON CONFLICT (first column) DO UPDATE` of the others. */
function upsert(table: string, key: string, ...columns: readonly string[]): string {
  const known = UPSERTS.get(table);
  if (known !== undefined) return known;
  const marks = [key, ...columns].map(() => "?").join(", ");
  const updates = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  const sql = `INSERT INTO ${table} (${[key, ...columns].join(", ")}) VALUES (${marks}) ON CONFLICT (${key}) DO UPDATE SET ${updates}`;
  UPSERTS.set(table, sql);
  return sql;
}
