import type { Branch, Commit, Instant } from "./ids.ts";
import { iso } from "./instant.ts";

/** What a backup's commit message carries, so that it can be brought back without anything else. */
export interface BackupNote {
  readonly branch: Branch;
  readonly worktree: string;
  readonly at: Instant;
  readonly files: number;
  readonly commits: number;
  readonly head: Commit;
  readonly tip: Commit;
  readonly index: Commit | null;
}

/** A line for people, then one line of JSON for us. */
export function writeBackupNote(note: BackupNote): string {
  return `banksman: ${note.branch} as it was on ${iso(note.at)}\n\n${MARK}${JSON.stringify(note)}\n`;
}

const MARK = "banksman-backup: ";

/** Null where the text was not written by us. */
export function readBackupNote(text: string): BackupNote | null {
  const line = text.split("\n").find((each) => each.startsWith(MARK));
  if (line === undefined) return null;
  try {
    const note = JSON.parse(line.slice(MARK.length)) as Partial<BackupNote>;
    const texts = [note.branch, note.worktree, note.head, note.tip].every((each) => typeof each === "string");
    const numbers = [note.at, note.files, note.commits].every((each) => typeof each === "number");
    return texts && numbers ? ({ ...note, index: note.index ?? null } as BackupNote) : null;
  } catch {
    return null;
  }
}
