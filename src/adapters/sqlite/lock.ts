import Database from "libsql";
import { Failed } from "../../core/failure.ts";

/**
 * The exclusive hold on a repository: a transaction on a file of its own, kept for life. The kernel frees it with the
 * process, however it dies; a live holder, even a stopped one, is never deposed. Throws `supervisor.other` when
 * somebody else has it.
 */
export function takeLock(path: string): { release(): void } {
  const db = new Database(path);
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY")
      throw new Failed({ kind: "supervisor.other", pid: null, url: null });
    throw error;
  }
  return { release: () => db.close() };
}
