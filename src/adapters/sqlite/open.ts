import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { Connection } from "./connection.ts";
import { MIGRATIONS } from "./schema.ts";

/**
 * Opens the journal at `path`, making or upgrading it. A newer one is refused before anything is written to it; an
 * older one is copied beside itself first. `look` changes nothing: for reading while no supervisor runs.
 */
export function openJournal(
  path: string,
  epoch: string,
  look = false,
  migrations: readonly string[] = MIGRATIONS,
): Connection {
  if (isEmptied(path)) throw new Failed({ kind: "journal.empty", path });
  const db = connect(path);
  try {
    const found = db.all<{ user_version: number }>("PRAGMA user_version")[0]?.user_version ?? 0;
    if (found > migrations.length) throw new Failed({ kind: "journal.newer", found, known: migrations.length, path });
    if (look && found < migrations.length) throw new Failed({ kind: "journal.older", path });
    // Another process may have it for a moment: one that only looks, or one that recovers what a crash left.
    db.all("PRAGMA busy_timeout = 5000");
    db.all("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL");
    if (found < migrations.length) migrate(db, path, found, migrations);
    if (!look) db.run("INSERT OR IGNORE INTO settings (key, value) VALUES ('epoch', ?)", epoch);
    return db;
  } catch (error) {
    db.close();
    throw error instanceof Failed ? error : unreadable(path, error);
  }
}

/** Empty, though a supervisor has used it before: beside it lies what one writes once it has its journal. */
function isEmptied(path: string): boolean {
  const isEmpty = existsSync(path) && statSync(path).size === 0 && !existsSync(`${path}-wal`);
  return isEmpty && existsSync(join(dirname(path), USED));
}

/** What every supervisor leaves in the folder of its journal. */
const USED = "repository.json";

function connect(path: string): Connection {
  try {
    // SQLite gives the -wal and -shm files the mode of the main one, so this decides for all three.
    closeSync(openSync(path, "a", 0o600));
    return new Connection(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** All steps in one transaction: the journal is at the old version or at the new one, never between. */
function migrate(db: Connection, path: string, found: number, migrations: readonly string[]): void {
  if (found > 0) db.exec(`VACUUM INTO '${`${path}.v${found}-${Date.now()}`.replaceAll("'", "''")}'`);
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const step of migrations.slice(found)) db.exec(step);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

const unreadable = (path: string, error: unknown) =>
  new Failed({ kind: "journal.unreadable", path, detail: error instanceof Error ? error.message : String(error) });
