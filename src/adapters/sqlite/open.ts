import { closeSync, existsSync, openSync, statfsSync, statSync } from "node:fs";
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
    // A full disk has ended it already, and what cannot be rolled back would be said instead.
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function unreadable(path: string, error: unknown): Failed {
  if (isFull(path, error)) return new Failed({ kind: "disk.full", path: dirname(path) });
  return new Failed({
    kind: "journal.unreadable",
    path,
    detail: error instanceof Error ? error.message : String(error),
  });
}

/** What SQLite needs to open a journal at all: its log, and the index of that. */
const LEAST_BYTES = 128 * 1024;

/** Of the index of its log SQLite says only that the disk failed: then the disk is asked. */
function isFull(path: string, error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT") return true;
  if (!String(code).startsWith("SQLITE_IOERR") && code !== "SQLITE_CANTOPEN") return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < LEAST_BYTES;
}
