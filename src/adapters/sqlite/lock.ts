import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { Failed } from "../../core/failure/failed.ts";

/** Who has a lock, in the holder's own words. */
export interface Holder {
  readonly pid: number;
  /** Its state folder. */
  readonly state: string;
}

/** Somebody who only looks has it for a moment; a holder has it for life. */
const PATIENCE_MS = 500;

/**
 * The exclusive hold on a repository: a transaction on a file of its own, kept for life. The kernel frees it with the
 * process, however it dies; a live holder, even a stopped one, is never deposed. Others can read who holds it. Throws
 * `supervisor.other` when somebody else has it.
 */
export function takeLock(path: string, holder: Holder): { release(): void } {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  try {
    // Nothing in it outlives its holder, and nothing of it lies beside it.
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF`);
    const note = JSON.stringify(holder);
    for (;;) {
      db.exec("BEGIN IMMEDIATE");
      db.exec("CREATE TABLE IF NOT EXISTS holder (note TEXT NOT NULL)");
      if (noteIn(db) === note) return { release: () => db.close() };
      db.exec("DELETE FROM holder");
      db.prepare("INSERT INTO holder (note) VALUES (?)").run([note]);
      // Committed for others to read, and so released for a moment: whoever was quicker has left its own note.
      db.exec("COMMIT");
    }
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new Failed({ kind: "supervisor.other", pid: null, url: null, state: null });
    throw error;
  }
}

/** Who holds the lock at this moment; null where nobody does. Throws where that cannot be told. */
export function readHolder(path: string): Holder | null {
  if (!existsSync(path)) return null;
  const db = new Database(path);
  try {
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
    try {
      db.exec("BEGIN IMMEDIATE");
      return null;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    const note = noteIn(db);
    return note === null ? { pid: 0, state: "" } : (JSON.parse(note) as Holder);
  } finally {
    db.close();
  }
}

const isBusy = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");

function noteIn(db: Database.Database): string | null {
  const row = db.prepare("SELECT note FROM holder").get() as { note: string } | undefined;
  return row?.note ?? null;
}
