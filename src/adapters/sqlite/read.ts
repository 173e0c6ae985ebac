import type { Intent } from "../../core/claims/intents.ts";
import type { Cursor } from "../../core/messages/cursors.ts";
import type { Message, StoredMessage } from "../../core/messages/messages.ts";
import type { Question } from "../../core/messages/questions.ts";
import { readRosterEntry } from "../../core/messages/roster.ts";
import { WAKING_SUPERVISOR, WAKING_TYPES } from "../../core/messages/waking.ts";
import type { LaneRow, RecordedEffect, Token } from "../../core/record/changes.ts";
import type { AnyEffect, AnyOutcome, EffectId } from "../../core/record/effects.ts";
import type { JournalState } from "../../core/record/journal-state.ts";
import { countFitting, PAGE_BYTES } from "../../core/record/page.ts";
import { type AgentId, type Instant, type LaneKey, SUPERVISOR } from "../../core/text/ids.ts";
import type { CountQuery, EffectRecord, InboxCount, InboxQuery } from "../../ports/store.ts";
import type { Broadcasts } from "./broadcasts.ts";
import type { Connection, Value } from "./connection.ts";

export function readJournalState(db: Connection): JournalState {
  const settings = db.all<{ key: string; value: string }>("SELECT key, value FROM settings");
  return {
    epoch: settings.find(({ key }) => key === "epoch")?.value ?? "",
    head: readHead(db),
    compacted: readCompacted(db),
    lastQuestion: db.number("SELECT max(number) AS value FROM questions"),
    lastEffect: db.number("SELECT max(id) AS value FROM effects"),
    settings,
    roster: bodies<unknown>(db, "SELECT body FROM roster").map(readRosterEntry),
    intents: bodies<Intent>(db, "SELECT body FROM intents"),
    questions: bodies<Question>(db, "SELECT body FROM questions WHERE settled = 0 ORDER BY number"),
    cursors: db.all<Cursor>(
      "SELECT agent, delivered, delivered_at AS deliveredAt, told, acted, acted_at AS actedAt FROM cursors",
    ),
    tokens: db.all<Token>("SELECT digest, run, agent, role FROM tokens"),
    lanes: db.all<LaneText>("SELECT lane, version, state FROM lanes ORDER BY lane").map(lane),
    unsettled: db
      .all<EffectText>("SELECT id, lane, at, body FROM effects WHERE settled_at IS NULL ORDER BY id")
      .map(recorded),
    waking: db.all<{ agent: AgentId; seq: number }>(WAKING),
  };
}

/** The newest message's; where none is left, that of the last one that was. */
export const readHead = (db: Connection): number =>
  Math.max(db.number("SELECT max(seq) AS value FROM messages"), readCompacted(db));

export const readCompacted = (db: Connection): number =>
  db.number("SELECT CAST(value AS INTEGER) AS value FROM settings WHERE key = 'compacted'");

const list = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(", ");

/** From the newest back, reader by reader, found by jumping from one name to the next: most of the log is not looked at. */
const WAKING = `
  WITH RECURSIVE readers (reader) AS (
    SELECT min(recipient) FROM inbox WHERE recipient > '*'
    UNION ALL
    SELECT (SELECT min(recipient) FROM inbox WHERE recipient > reader) FROM readers WHERE reader IS NOT NULL)
  SELECT * FROM (
    SELECT reader AS agent, (
      SELECT i.seq FROM inbox i CROSS JOIN messages m ON m.seq = i.seq
      WHERE i.recipient = reader AND i.seq > max(coalesce(c.delivered, 0), coalesce(c.told, 0))
        AND (m.type IN (${list(WAKING_TYPES)}) OR (reader = '${SUPERVISOR}' AND m.type IN (${list(WAKING_SUPERVISOR)})))
      ORDER BY i.seq DESC LIMIT 1) AS seq
    FROM readers LEFT JOIN cursors c ON c.agent = reader WHERE reader IS NOT NULL)
  WHERE seq IS NOT NULL`;

const MESSAGE = "m.seq, m.id, m.at, m.sender, m.recipients, m.body, m.key, m.re";

/** Only how long each is: SQLite tells that without reading them. */
const SIZE = "octet_length(m.body) AS size";

/** So many fit into a page however long they are. */
const ALWAYS_FIT = PAGE_BYTES / (1024 * 1024);

/** The rows of a page: no more than `limit`, and no more than fit. `select` makes the query for some columns. */
function page<Row>(
  db: Connection,
  limit: number,
  select: (columns: "rows" | "sizes") => string,
  values: readonly Value[],
) {
  if (limit <= ALWAYS_FIT) return db.all<Row>(select("rows"), ...values, limit);
  const sizes = db.all<{ size: number }>(select("sizes"), ...values, limit);
  return db.all<Row>(select("rows"), ...values, countFitting(sizes.map(({ size }) => size)));
}

/** Each side by itself stops at the limit: a reader that is far behind costs no more than one that is not. */
const INBOX = `
  SELECT COLUMNS FROM messages m WHERE m.seq IN (
    SELECT * FROM (SELECT seq FROM inbox WHERE recipient = ? AND seq > ? ORDER BY seq LIMIT ?)
    UNION
    SELECT * FROM (SELECT i.seq FROM inbox i JOIN messages b ON b.seq = i.seq
      WHERE i.recipient = '*' AND i.seq > ? AND b.sender <> ? ORDER BY i.seq LIMIT ?))
  ORDER BY m.seq LIMIT ?`;

export function readInbox(db: Connection, { reader, after, joined, limit }: InboxQuery): StoredMessage[] {
  const values = [reader, after, limit, Math.max(after, joined), reader, limit];
  return page<MessageText>(db, limit, (columns) => QUERIES[columns].inbox, values).map(stored);
}

const DIRECT = "SELECT count(*) AS value FROM inbox WHERE recipient = ? AND seq > ?";

export function countInbox(db: Connection, broadcasts: Broadcasts, readers: readonly CountQuery[]): InboxCount[] {
  broadcasts.catchUp(db);
  const compacted = readCompacted(db);
  return readers.map(({ reader, joined, delivered, acted }) => {
    const beyond = (cursor: number) =>
      db.number(DIRECT, reader, cursor) + broadcasts.countFor(reader, Math.max(cursor, joined, compacted));
    const undelivered = beyond(delivered);
    return { reader, undelivered, unacted: beyond(acted) - undelivered };
  });
}

export function readLog(db: Connection, after: number, limit: number): StoredMessage[] {
  return page<MessageText>(db, limit, (columns) => QUERIES[columns].log, [after]).map(stored);
}

export function readByKey(db: Connection, sender: AgentId, key: string): StoredMessage | null {
  const [row] = db.all<MessageText>(`SELECT ${MESSAGE} FROM messages m WHERE m.sender = ? AND m.key = ?`, sender, key);
  return row === undefined ? null : stored(row);
}

export const readQuestion = (db: Connection, number: number): Question | null =>
  bodies<Question>(db, "SELECT body FROM questions WHERE number = ?", number)[0] ?? null;

export function readEffects(db: Connection, after: number, limit: number): EffectRecord[] {
  const rows = page<EffectRow>(db, limit, (columns) => QUERIES[columns].effects, [after]);
  return rows.map((row) => ({
    ...recorded(row),
    settledAt: row.settled_at,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as AnyOutcome),
  }));
}

interface EffectRow extends EffectText {
  readonly settled_at: Instant | null;
  readonly outcome: string | null;
}

const LOG = "SELECT COLUMNS FROM messages m WHERE m.seq > ? ORDER BY m.seq LIMIT ?";
const EFFECTS = "SELECT COLUMNS FROM effects WHERE id > ? ORDER BY id LIMIT ?";

/** Texts that stay the same: each is prepared once. */
const QUERIES = {
  rows: {
    inbox: INBOX.replace("COLUMNS", MESSAGE),
    log: LOG.replace("COLUMNS", MESSAGE),
    effects: EFFECTS.replace("COLUMNS", "id, lane, at, body, settled_at, outcome"),
  },
  sizes: {
    inbox: INBOX.replace("COLUMNS", SIZE),
    log: LOG.replace("COLUMNS", SIZE),
    effects: EFFECTS.replace("COLUMNS", "octet_length(body) + ifnull(octet_length(outcome), 0) AS size"),
  },
} as const;

interface MessageText extends Omit<StoredMessage, "to" | "message"> {
  readonly recipients: string;
  readonly body: string;
}

function stored({ seq, id, at, sender, recipients, body, key, re }: MessageText): StoredMessage {
  const to = JSON.parse(recipients) as AgentId[];
  return { seq, id, at, sender, to, message: JSON.parse(body) as Message, key, re };
}

interface EffectText {
  readonly id: EffectId;
  readonly lane: LaneKey;
  readonly at: Instant;
  readonly body: string;
}

const recorded = ({ id, lane, at, body }: EffectText): RecordedEffect => ({
  id,
  lane,
  at,
  effect: JSON.parse(body) as AnyEffect,
});

interface LaneText extends Omit<LaneRow, "state"> {
  readonly state: string;
}

const lane = ({ lane, version, state }: LaneText): LaneRow => ({ lane, version, state: JSON.parse(state) as unknown });

const bodies = <T>(db: Connection, sql: string, ...values: Value[]): T[] =>
  db.all<{ body: string }>(sql, ...values).map(({ body }) => JSON.parse(body) as T);
