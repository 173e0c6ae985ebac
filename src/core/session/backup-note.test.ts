import { expect, it } from "vitest";
import type { Branch, Commit, Instant } from "../text/ids.ts";
import { type BackupNote, readBackupNote, writeBackupNote } from "./backup-note.ts";

const NOTE: BackupNote = {
  branch: "feat/日本\u2028語" as Branch,
  worktree: "/w x",
  at: 7 as Instant,
  files: 1,
  commits: 2,
  head: "a".repeat(40) as Commit,
  tip: "b".repeat(64) as Commit,
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
it("takes nothing but whole object ids for commits: they are given to git", () => {
  for (const bad of ["--stdin", "-d", "HEAD", "a".repeat(39), `${"a".repeat(40)}\n`, "A".repeat(40), "", 7])
    for (const key of ["head", "tip", "index"])
      expect([key, bad, readBackupNote(writeBackupNote({ ...NOTE, [key]: bad }))]).toEqual([key, bad, null]);
  expect(readBackupNote(writeBackupNote({ ...NOTE, index: "c".repeat(40) as Commit }))).not.toBe(null);
});
