import { expect, it } from "vitest";
import { type BackupNote, readBackupNote, writeBackupNote } from "./backup-note.ts";
import type { Branch, Commit, Instant } from "./ids.ts";

const NOTE: BackupNote = {
  branch: "feat/日本\u2028語" as Branch,
  worktree: "/w x",
  at: 7 as Instant,
  files: 1,
  commits: 2,
  head: "h" as Commit,
  tip: "t" as Commit,
  index: null,
};

it("reads what it wrote", () => expect(readBackupNote(writeBackupNote(NOTE))).toEqual(NOTE));
it("takes nothing else for a backup", () => {
  for (const text of [
    "",
    "some commit",
    "banksman-backup: {}",
    "banksman-backup: not json",
    'banksman-backup: {"branch":1}',
  ])
    expect(readBackupNote(text)).toBe(null);
});
