import { type Compaction, countCompacted, type Settled } from "../../core/record/retention.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import type { Connection } from "./connection.ts";
import { readCompacted } from "./read.ts";

const OLDEST = "SELECT seq, at, recipients FROM messages ORDER BY seq LIMIT ?";
const KEEP =
  "INSERT INTO settings (key, value) VALUES ('compacted', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** One step of it, in a transaction of its own. What becomes free is used again; the file shrinks when it is closed. */
export function compact(db: Connection, plan: Compaction, limit: number): number {
  const oldest = db.all<{ seq: number; at: Instant; recipients: string }>(OLDEST, limit);
  const gone = oldest.slice(0, countCompacted(plan, oldest));
  const last = gone.at(-1)?.seq;
  if (last === undefined) return readCompacted(db);
  db.exec("BEGIN IMMEDIATE");
  for (const { seq, recipients } of gone)
    for (const recipient of JSON.parse(recipients) as AgentId[])
      db.run("DELETE FROM inbox WHERE recipient = ? AND seq = ?", recipient, seq);
  db.run("DELETE FROM messages WHERE seq <= ?", last);
  db.run(KEEP, String(last));
  db.exec("COMMIT");
  return last;
}

const OLD_EFFECTS = `
  SELECT id AS number FROM effects WHERE settled_at IS NOT NULL AND id < (SELECT max(id) FROM effects)
    AND (id <= ? OR at < ?) ORDER BY id LIMIT ?`;
const OLD_QUESTIONS = `
  SELECT number FROM questions WHERE settled = 1 AND number < (SELECT max(number) FROM questions)
    AND number <= ? ORDER BY number LIMIT ?`;

/** A question's age is in its body, which only we read: it goes by number alone. */
export function dropSettled(db: Connection, { effect, question, before }: Settled, limit: number): number {
  const effects = db.all<{ number: number }>(OLD_EFFECTS, effect, before, limit);
  const questions = db.all<{ number: number }>(OLD_QUESTIONS, question, limit);
  if (effects.length + questions.length === 0) return 0;
  db.exec("BEGIN IMMEDIATE");
  for (const { number } of effects) db.run("DELETE FROM effects WHERE id = ?", number);
  for (const { number } of questions) db.run("DELETE FROM questions WHERE number = ?", number);
  db.exec("COMMIT");
  return effects.length + questions.length;
}

/** Below this the file is small anyway. */
const WORTH_BYTES = 1024 * 1024;

/**
 * Leaves no log beside the file: closing does not, as long as statements are prepared. Writes the file anew where more than
 * half of it is free; it is as it was, or whole, because SQLite does that in a transaction.
 */
export function shrink(db: Connection): void {
  const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map(
    (name) => Object.values(db.all<Record<string, number>>(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0,
  ) as [number, number, number];
  if (free * 2 > pages && free * size > WORTH_BYTES) db.exec("VACUUM");
  db.all("PRAGMA wal_checkpoint(TRUNCATE)");
}
