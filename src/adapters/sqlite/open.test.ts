import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failed } from "../../core/failure/failed.ts";
import { openJournal } from "./open.ts";
import { MIGRATIONS } from "./schema.ts";

const NEXT = "CREATE TABLE weather (day TEXT); INSERT INTO weather VALUES ('today')";
const BROKEN = "CREATE TABLE weather (day TEXT); INSERT INTO nowhere VALUES (1)";

describe("a journal", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "banksman-open-"));
    path = join(folder, "journal.db");
    openJournal(path, "first").close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const kindOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof Failed) return error.failure.kind;
      throw error;
    }
    return "none";
  };
  const copies = () => readdirSync(folder).filter((name) => name.startsWith(`journal.db.v${MIGRATIONS.length}-`));

  it("of an older version is copied, then upgraded, and keeps what it holds", () => {
    const db = openJournal(path, "second", false, [...MIGRATIONS, NEXT]);
    expect(db.all("SELECT day FROM weather")).toEqual([{ day: "today" }]);
    expect(db.all("SELECT value FROM settings WHERE key = 'epoch'")).toEqual([{ value: "first" }]);
    expect(db.all("PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length + 1 }]);
    db.close();
    expect(copies()).toHaveLength(1);
    const copy = openJournal(join(folder, copies()[0] ?? ""), "x", true);
    expect(copy.all("SELECT value FROM settings WHERE key = 'epoch'")).toEqual([{ value: "first" }]);
    copy.close();
  });

  it("stays as it was when its upgrade fails", () => {
    expect(kindOf(() => openJournal(path, "second", false, [...MIGRATIONS, BROKEN]))).toBe("journal.unreadable");
    const db = openJournal(path, "second");
    expect(db.all("PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length }]);
    expect(db.all("SELECT name FROM sqlite_master WHERE name = 'weather'")).toEqual([]);
    db.close();
  });

  it("of a newer version is refused, and not touched", () => {
    openJournal(path, "x", false, [...MIGRATIONS, NEXT]).close();
    expect(kindOf(() => openJournal(path, "x"))).toBe("journal.newer");
    expect(kindOf(() => openJournal(path, "x", true))).toBe("journal.newer");
    expect(copies()).toHaveLength(1);
  });

  it("of an older version is not upgraded by somebody who only looks", () => {
    expect(kindOf(() => openJournal(path, "x", true, [...MIGRATIONS, NEXT]))).toBe("journal.older");
    expect(copies()).toEqual([]);
  });
});
