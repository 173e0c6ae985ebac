import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { Broadcasts } from "./broadcasts.ts";
import { compact, dropSettled, shrink } from "./compact.ts";
import type { Connection } from "./connection.ts";
import { openJournal } from "./open.ts";
import { countInbox, readByKey, readEffects, readInbox, readJournalState, readLog, readQuestion } from "./read.ts";
import type { Reply, Request, WorkerOptions } from "./requests.ts";
import type { Rows } from "./rows.ts";
import { writeRows } from "./write.ts";

/** The journal behind its requests: one connection, batches in, replies out. Synchronous; lives in the worker thread. */
export class Journal {
  private db: Connection | null;
  private readonly broadcasts = new Broadcasts();

  constructor(
    private readonly options: WorkerOptions,
    private readonly release: () => void,
  ) {
    this.db = openJournal(options.path, options.epoch, options.look);
  }

  answer(batch: readonly Request[]): Reply[] {
    const replies: Reply[] = [];
    for (const request of batch) {
      const reply = this.answerOne(request);
      replies.push(reply);
      if (!reply.ok && request.do === "commit" && request.together > 1) break;
    }
    return replies;
  }

  private answerOne(request: Request): Reply {
    try {
      return { ok: true, value: this.read(request) };
    } catch (error) {
      return { ok: false, failure: this.recover(error) };
    }
  }

  private read(request: Request): unknown {
    if (request.do === "close") return this.close();
    const db = this.connection();
    switch (request.do) {
      case "load":
        return readJournalState(db);
      case "inbox":
        return readInbox(db, request.query);
      case "counts":
        return countInbox(db, this.broadcasts, request.readers);
      case "log":
        return readLog(db, request.after, request.limit);
      case "byKey":
        return readByKey(db, request.sender, request.key);
      case "question":
        return readQuestion(db, request.number);
      case "effects":
        return readEffects(db, request.after, request.limit);
      case "compact":
        return compact(db, request.plan, request.limit);
      case "dropSettled":
        return dropSettled(db, request.plan, request.limit);
      case "commit":
        return commit(db, request.rows);
    }
  }

  /**
   * Rolls back, and says what it was. After an input/output error nothing that this connection believes is trusted:
   * the kernel may have dropped pages it reported as written, and a second fsync would report success. The file is
   * opened again, and what its log holds is written anew into the main file by a full checkpoint before going on.
   */
  private recover(error: unknown): Failure {
    const failure = failureOf(error);
    try {
      if (this.db?.inTransaction) this.db.exec("ROLLBACK");
      if (failure.kind === "store.broken") this.abandon();
    } catch {
      this.abandon();
    }
    return failure;
  }

  private abandon(): void {
    try {
      this.db?.close();
    } catch {
      // A connection that cannot even be closed is only let go of.
    }
    this.db = null;
  }

  private connection(): Connection {
    if (this.db !== null) return this.db;
    const db = openJournal(this.options.path, this.options.epoch, this.options.look);
    db.all("PRAGMA wal_checkpoint(TRUNCATE)");
    this.db = db;
    return db;
  }

  private close(): void {
    try {
      if (this.db !== null && !this.options.look) shrink(this.db);
    } catch {
      // It stays as large as it is: a full disk, or somebody who is reading.
    }
    this.db?.close();
    this.db = null;
    this.release();
  }
}

/** One transaction and one sync. */
function commit(db: Connection, rows: Rows): void {
  db.exec("BEGIN IMMEDIATE");
  writeRows(db, rows);
  db.exec("COMMIT");
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failed) return error.failure;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (code === "SQLITE_FULL") return { kind: "store.full" };
  // A number or an idempotency key that is there already: the writer's memory is behind, as with a version.
  if (code.startsWith("SQLITE_CONSTRAINT")) return { kind: "store.moved" };
  return { kind: "store.broken", detail: code ? `${message} (${code})` : message };
}
