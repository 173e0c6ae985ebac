import { type Compaction, countCompacted } from "../../core/record/retention.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import type { Connection } from "./connection.ts";
import { readCompacted } from "./read.ts";

const OLDEST = "SELECT seq, at, recipients FROM messages ORDER BY seq LIMIT ?";
const KEEP =
  "INSERT INTO settings (key, value) VALUES ('compacted', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/** One step of it, in a transaction of its own. The file does not shrink: what becomes free is used again. */
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
