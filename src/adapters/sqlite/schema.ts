/**
 * The journal's schema, one entry per version, forward only. Bodies that only we read are JSON; what is asked for by
 * value is a column. Never edit an entry that has been released: add one.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, sender TEXT NOT NULL,
    recipients TEXT NOT NULL, body TEXT NOT NULL, key TEXT, re TEXT
  );
  CREATE UNIQUE INDEX messages_by_key ON messages (sender, key) WHERE key IS NOT NULL;
  CREATE TABLE inbox (recipient TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (recipient, seq)) WITHOUT ROWID;
  CREATE TABLE roster (agent TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE intents (agent TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE questions (number INTEGER PRIMARY KEY, settled INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE cursors (
    agent TEXT PRIMARY KEY, delivered INTEGER NOT NULL, delivered_at INTEGER, told INTEGER NOT NULL,
    acted INTEGER NOT NULL, acted_at INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE tokens (digest TEXT PRIMARY KEY, run TEXT NOT NULL, agent TEXT NOT NULL, role TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE lanes (lane TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE effects (
    id INTEGER PRIMARY KEY, lane TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
    settled_at INTEGER, outcome TEXT
  );
  CREATE INDEX effects_unsettled ON effects (id) WHERE settled_at IS NULL;
  CREATE INDEX questions_unsettled ON questions (number) WHERE settled = 0;
  `,
];
