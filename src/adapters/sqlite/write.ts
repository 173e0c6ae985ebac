import type { Change } from "../../core/changes.ts";
import { Failed } from "../../core/failure.ts";
import type { StoredMessage } from "../../core/messages.ts";
import { isOpen, unhanded } from "../../core/questions.ts";
import type { Connection } from "./connection.ts";
import { readHead } from "./read.ts";

/** Puts one change into the open transaction. Throws `store.moved` when the writer's memory is behind the journal. */
export function writeChange(db: Connection, change: Change): void {
  switch (change.row) {
    case "message":
      return writeMessage(db, change.put);
    case "lane": {
      if ("drop" in change) return db.run("DELETE FROM lanes WHERE lane = ?", change.drop);
      const { lane, version, state } = change.put;
      const last = db.number("SELECT version AS value FROM lanes WHERE lane = ?", lane);
      if (version !== last + 1) throw new Failed({ kind: "store.moved" });
      return db.run(upsert("lanes", "lane", "version", "state"), lane, version, JSON.stringify(state));
    }
    case "roster":
      if ("drop" in change) return db.run("DELETE FROM roster WHERE agent = ?", change.drop);
      return db.run(upsert("roster", "agent", "body"), change.put.agent, JSON.stringify(change.put));
    case "intent":
      if ("drop" in change) return db.run("DELETE FROM intents WHERE agent = ?", change.drop);
      return db.run(upsert("intents", "agent", "body"), change.put.agent, JSON.stringify(change.put));
    case "question": {
      const settled = isOpen(change.put) || unhanded(change.put) ? 0 : 1;
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

function writeMessage(db: Connection, { seq, id, at, sender, to, message, key, re }: StoredMessage): void {
  if (seq !== readHead(db) + 1) throw new Failed({ kind: "store.moved" });
  const sql =
    "INSERT INTO messages (seq, id, at, type, sender, recipients, body, key, re) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  db.run(sql, seq, id, at, message.type, sender, JSON.stringify(to), JSON.stringify(message), key, re);
  for (const recipient of to) db.run("INSERT INTO inbox (recipient, seq) VALUES (?, ?)", recipient, seq);
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
