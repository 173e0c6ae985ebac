import { type BackupNote, readBackupNote } from "../../core/session/backup-note.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { GitRunner } from "./run.ts";

/** What a backup's commit says of it; null where it was not written by us. The object as it is: nothing is verified by programs. */
export async function readNote(git: GitRunner, commit: Commit): Promise<BackupNote | null> {
  return noteIn(await git.text(["cat-file", "commit", commit]));
}

/** Of a commit as git stores it. */
export function noteIn(object: string): BackupNote | null {
  const end = object.indexOf("\n\n");
  return end === -1 ? null : readBackupNote(object.slice(end + 2));
}
