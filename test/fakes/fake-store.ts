import type { Intent } from "../../src/core/claims/intents.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import type { Failure } from "../../src/core/failure/failure.ts";
import type { Cursor } from "../../src/core/messages/cursors.ts";
import type { StoredMessage } from "../../src/core/messages/messages.ts";
import { isOpen, isPending, type Question, unhanded } from "../../src/core/messages/questions.ts";
import type { RosterEntry } from "../../src/core/messages/roster.ts";
import { wakes } from "../../src/core/messages/waking.ts";
import type { Change, LaneRow, RecordedEffect, Token } from "../../src/core/record/changes.ts";
import type { JournalState } from "../../src/core/record/journal-state.ts";
import { countFitting } from "../../src/core/record/page.ts";
import { type Compaction, countCompacted, type Settled } from "../../src/core/record/retention.ts";
import { type AgentId, EVERYONE } from "../../src/core/text/ids.ts";
import type { CountQuery, EffectRecord, InboxQuery, Store } from "../../src/ports/store.ts";

/** Rows in maps; JSON in between, so that what comes out is never what went in. */
interface Tables {
  epoch: string;
  messages: StoredMessage[];
  compacted: number;
  settings: Record<string, string>;
  roster: Record<string, RosterEntry>;
  intents: Record<string, Intent>;
  questions: Record<number, Question>;
  cursors: Record<string, Cursor>;
  tokens: Record<string, Token>;
  lanes: Record<string, LaneRow>;
  effects: Record<number, EffectRecord>;
}

/** A disk: what was committed. It outlives the store that wrote it, and can be told to fail. */
export class FakeDisk {
  tables: Tables = {
    epoch: "epoch-1",
    messages: [],
    compacted: 0,
    settings: {},
    roster: {},
    intents: {},
    questions: {},
    cursors: {},
    tokens: {},
    lanes: {},
    effects: {},
  };
  /** The next commits fail so, one each. */
  readonly failures: Failure[] = [];
}

/** The journal in memory. Answers in order, after a turn of the event loop, as a real one would. */
export class FakeStore implements Store {
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly disk: FakeDisk = new FakeDisk()) {}

  load = () => this.inOrder(() => books(this.disk.tables));
  commit = (changes: readonly Change[]) => this.inOrder(() => this.write(changes));
  inbox = (query: InboxQuery) =>
    this.inOrder(() => page(inboxOf(this.disk.tables, query), query.limit, ({ message }) => message));
  inboxCounts = (readers: readonly CountQuery[]) =>
    this.inOrder(() =>
      readers.map(({ reader, joined, delivered, acted }) => {
        const beyond = (after: number) => inboxOf(this.disk.tables, { reader, joined, after, limit: 0 }).length;
        return { reader, undelivered: beyond(delivered), unacted: beyond(acted) - beyond(delivered) };
      }),
    );
  log = (after: number, limit: number) =>
    this.inOrder(() =>
      page(
        this.disk.tables.messages.filter(({ seq }) => seq > after),
        limit,
        ({ message }) => message,
      ),
    );
  byKey = (sender: AgentId, key: string) =>
    this.inOrder(() => this.disk.tables.messages.find((each) => each.sender === sender && each.key === key) ?? null);
  question = (number: number) => this.inOrder(() => this.disk.tables.questions[number] ?? null);
  effects = (after: number, limit: number) =>
    this.inOrder(() =>
      page(
        Object.values(this.disk.tables.effects).filter(({ id }) => id > after),
        limit,
        (each) => [each.effect, each.outcome],
      ),
    );

  compact = (plan: Compaction, limit: number) =>
    this.inOrder(() => {
      const { tables } = this.disk;
      const gone = tables.messages.splice(0, countCompacted(plan, tables.messages.slice(0, limit)));
      tables.compacted = gone.at(-1)?.seq ?? tables.compacted;
      return tables.compacted;
    });

  dropSettled = (plan: Settled, limit: number) =>
    this.inOrder(() => {
      const { effects, questions } = this.disk.tables;
      const newest = (numbers: number[]) => Math.max(...numbers);
      const old = Object.values(effects)
        .filter(({ id, at, settledAt }) => settledAt !== null && (id <= plan.effect || at < plan.before))
        .filter(({ id }) => id < newest(Object.keys(effects).map(Number)))
        .slice(0, limit);
      const closed = Object.values(questions)
        .filter((each) => !isPending(each) && each.number <= plan.question)
        .filter(({ number }) => number < newest(Object.keys(questions).map(Number)))
        .slice(0, limit);
      for (const { id } of old) delete effects[id];
      for (const { number } of closed) delete questions[number];
      return old.length + closed.length;
    });

  async close(): Promise<void> {
    await this.last.catch(() => undefined);
    this.closed = true;
  }

  private inOrder<T>(work: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new Failed({ kind: "store.broken", detail: "closed" }));
    const mine = this.last.then(() => structuredClone(work()));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private write(changes: readonly Change[]): void {
    const failure = this.disk.failures.shift();
    if (failure !== undefined) throw new Failed(failure);
    const next = structuredClone(this.disk.tables);
    for (const change of structuredClone(changes) as Change[]) apply(next, change);
    this.disk.tables = next;
  }
}

function apply(tables: Tables, change: Change): void {
  const moved = () => new Failed({ kind: "store.moved" });
  switch (change.row) {
    case "message": {
      const { put } = change;
      if (put.seq !== headOf(tables) + 1) throw moved();
      if (put.key !== null && tables.messages.some((each) => each.sender === put.sender && each.key === put.key))
        throw moved();
      tables.messages.push(put);
      return;
    }
    case "lane":
      if ("drop" in change) delete tables.lanes[change.drop];
      else {
        if (change.put.version !== (tables.lanes[change.put.lane]?.version ?? 0) + 1) throw moved();
        tables.lanes[change.put.lane] = change.put;
      }
      return;
    case "roster":
      return keepRow(tables.roster, change, (row) => row.agent);
    case "intent":
      return keepRow(tables.intents, change, (row) => row.agent);
    case "question":
      return keepRow(tables.questions, change, (row) => row.number);
    case "cursor":
      return keepRow(tables.cursors, change, (row) => row.agent);
    case "token":
      if ("put" in change) tables.tokens[change.put.digest] = change.put;
      else
        for (const [digest, { run }] of Object.entries(tables.tokens))
          if (run === change.drop) delete tables.tokens[digest];
      return;
    case "effect": {
      if ("put" in change) {
        if (tables.effects[change.put.id] !== undefined) throw moved();
        tables.effects[change.put.id] = { ...change.put, settledAt: null, outcome: null };
      } else {
        const recorded = tables.effects[change.settle];
        if (recorded !== undefined)
          tables.effects[change.settle] = { ...recorded, settledAt: change.at, outcome: change.outcome };
      }
      return;
    }
    case "setting":
      tables.settings[change.put.key] = change.put.value;
  }
}

function page<Row>(rows: readonly Row[], limit: number, body: (row: Row) => unknown): Row[] {
  const some = rows.slice(0, limit);
  return some.slice(0, countFitting(some.map((row) => Buffer.byteLength(JSON.stringify(body(row))))));
}

const headOf = ({ messages, compacted }: Tables): number => messages.at(-1)?.seq ?? compacted;

function keepRow<Row>(
  table: Record<string, Row>,
  change: { readonly put: Row } | { readonly drop: string },
  key: (row: Row) => string | number,
): void {
  if ("drop" in change) delete table[change.drop];
  else table[key(change.put)] = change.put;
}

function books(tables: Tables): JournalState {
  const waking = new Map<AgentId, number>();
  for (const { seq, to, message } of tables.messages) {
    for (const agent of to.filter((each) => wakes(message.type, each)))
      if (agent !== EVERYONE && seq > Math.max(tables.cursors[agent]?.delivered ?? 0, tables.cursors[agent]?.told ?? 0))
        waking.set(agent, seq);
  }
  const questions = Object.values(tables.questions);
  const effects = Object.values(tables.effects);
  return {
    epoch: tables.epoch,
    head: headOf(tables),
    compacted: tables.compacted,
    lastQuestion: Math.max(0, ...questions.map(({ number }) => number)),
    lastEffect: Math.max(0, ...effects.map(({ id }) => id)),
    settings: [
      { key: "epoch", value: tables.epoch },
      ...Object.entries(tables.settings).map(([key, value]) => ({ key, value })),
    ],
    roster: Object.values(tables.roster),
    intents: Object.values(tables.intents),
    questions: questions.filter((each) => isOpen(each) || unhanded(each)),
    cursors: Object.values(tables.cursors),
    tokens: Object.values(tables.tokens),
    lanes: Object.values(tables.lanes),
    unsettled: effects
      .filter(({ settledAt }) => settledAt === null)
      .map(({ id, lane, at, effect }): RecordedEffect => ({ id, lane, at, effect })),
    waking: [...waking].map(([agent, seq]) => ({ agent, seq })),
  };
}

const inboxOf = ({ messages }: Tables, { reader, after, joined }: InboxQuery): StoredMessage[] =>
  messages.filter(
    ({ seq, to, sender }) =>
      (to.includes(reader) && seq > after) ||
      (to.includes(EVERYONE) && sender !== reader && seq > Math.max(after, joined)),
  );
