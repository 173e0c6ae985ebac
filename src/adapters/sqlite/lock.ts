import { existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
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
 * `supervisor.other` when somebody else has it, and `supervisor.elsewhere` when the last who had it keeps a session of this
 * repository in another state folder: its worktrees and its agents in tmux would be taken for leftovers.
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
      const last = noteIn(db);
      if (last === note) return { release: () => db.close() };
      const state = last === null ? null : stateIn(last);
      if (state !== null && !isSame(state, holder.state) && keepsSession(state))
        throw new Failed({ kind: "supervisor.elsewhere", state });
      db.exec("DELETE FROM holder");
      db.prepare("INSERT INTO holder (note) VALUES (?)").run([note]);
      // Committed for others to read, and so released for a moment: whoever was quicker has left its own note.
      db.exec("COMMIT");
    }
  } catch (error) {
    db.close();
    if ((error as { code?: unknown }).code === "SQLITE_FULL")
      throw new Failed({ kind: "disk.full", path: dirname(path) });
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

/** What is no note of ours says nothing. */
function stateIn(note: string): string | null {
  try {
    const { state } = JSON.parse(note) as Partial<Holder>;
    return typeof state === "string" && state !== "" ? state : null;
  } catch {
    return null;
  }
}

function isSame(a: string, b: string): boolean {
  try {
    return a === b || realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** Whether a state folder has the receipt of a session. One that may not be read may well have it. */
function keepsSession(state: string): boolean {
  try {
    return readdirSync(join(state, "sessions")).length > 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

const isBusy = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");

function noteIn(db: Database.Database): string | null {
  const row = db.prepare("SELECT note FROM holder").get() as { note: string } | undefined;
  return row?.note ?? null;
}
