import type { Branch, Commit, Instant } from "../text/ids.ts";
import { iso } from "../text/instant.ts";

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

const isObjectId = (value: unknown): boolean =>
  typeof value === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value);

/** Null where the text was not written by us. */
export function readBackupNote(text: string): BackupNote | null {
  const line = text.split("\n").find((each) => each.startsWith(MARK));
  if (line === undefined) return null;
  try {
    const note = JSON.parse(line.slice(MARK.length)) as Partial<BackupNote>;
    const index = note.index ?? null;
    const texts = [note.branch, note.worktree].every((each) => typeof each === "string");
    const numbers = [note.at, note.files, note.commits].every((each) => typeof each === "number");
    // Anybody can make such a ref, and what it names is given to git: nothing but whole object ids.
    const commits = [note.head, note.tip, ...(index === null ? [] : [index])].every(isObjectId);
    return texts && numbers && commits ? ({ ...note, index } as BackupNote) : null;
  } catch {
    return null;
  }
}
