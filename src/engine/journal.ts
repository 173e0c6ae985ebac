import type { Books } from "../core/books.ts";
import type { Change, LaneRow, RecordedEffect, Token } from "../core/changes.ts";
import type { Cursor } from "../core/cursors.ts";
import type { EffectId } from "../core/effects.ts";
import { Failed } from "../core/failure.ts";
import type { AgentId, Instant, LaneKey } from "../core/ids.ts";
import type { Intent } from "../core/intents.ts";
import type { PublishView } from "../core/publish.ts";
import { isOpen, type Question, unhanded } from "../core/questions.ts";
import type { Compaction } from "../core/retention.ts";
import { REPUBLISH_MS, type RosterEntry } from "../core/roster.ts";
import { wakes } from "../core/waking.ts";
import type { Store } from "../ports/store.ts";

/**
 * The books in memory, and the only way to change them: decide synchronously on what is known, then wait until it is
 * stored. When storing fails the memory is thrown away and read again; whoever decided on it in between is refused by
 * the store's compare-and-swap.
 */
export class Journal implements PublishView {
  epoch = "";
  head = 0;
  republishMs = REPUBLISH_MS;
  /** Messages up to here are no longer kept. */
  compacted = 0;
  private lastQuestion = 0;
  private lastEffect = 0;
  readonly settings = new Map<string, string>();
  readonly roster = new Map<AgentId, RosterEntry>();
  readonly intents = new Map<AgentId, Intent>();
  readonly openQuestions = new Map<number, Question>();
  readonly cursors = new Map<AgentId, Cursor>();
  readonly tokens = new Map<string, Token>();
  readonly lanes = new Map<LaneKey, LaneRow>();
  readonly unsettled = new Map<EffectId, RecordedEffect>();
  /** Per agent the newest message that should wake it. */
  readonly waking = new Map<AgentId, number>();
  /** When the oldest of those came that it may not have heard of; after a restart, when we began to know. */
  readonly unheardSince = new Map<AgentId, Instant>();
  private readonly listeners = new Set<(changes: readonly Change[]) => void>();
  private ready: Promise<void> | null = null;

  private constructor(private readonly store: Store) {}

  static async open(store: Store): Promise<Journal> {
    const journal = new Journal(store);
    journal.read(await store.load());
    return journal;
  }

  /**
   * Runs `work` now, on the memory as it is; what it puts is stored together. Resolves with its result once that is on
   * disk, rejects as Store.commit does.
   */
  async transact<T>(work: (put: (change: Change) => void) => T): Promise<T> {
    if (this.ready !== null) await this.reread();
    const changes: Change[] = [];
    try {
      const result = work((change) => {
        changes.push(change);
        this.apply(change);
      });
      if (changes.length > 0) await this.store.commit(changes);
      for (const listener of this.listeners) listener(changes);
      return result;
    } catch (error) {
      if (changes.length > 0) this.forget();
      throw error;
    }
  }

  /** Takes out a beginning of the log, as much as a step may; false when there was nothing to take. */
  async compact(plan: Compaction, limit: number): Promise<boolean> {
    const before = this.compacted;
    this.compacted = await this.store.compact(plan, limit);
    return this.compacted > before;
  }

  /** Throws where what came after `since` cannot be told whole any more. */
  requireKept(since: number): void {
    if (since < this.compacted) throw new Failed({ kind: "log.gone", since, kept: this.compacted });
  }

  /** Called with what was stored, after it was stored. */
  onStored(listener: (changes: readonly Change[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves once `so` holds; looked at after every commit. */
  until(so: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (so()) return resolve();
      const stop = this.onStored(() => {
        if (!so()) return;
        stop();
        resolve();
      });
    });
  }

  get nextQuestion(): number {
    return this.lastQuestion + 1;
  }

  nextEffect(): EffectId {
    return (this.lastEffect + 1) as EffectId;
  }

  entry = (agent: AgentId): RosterEntry | null => this.roster.get(agent) ?? null;
  intent = (agent: AgentId): Intent | null => this.intents.get(agent) ?? null;
  cursor = (agent: AgentId): Cursor | null => this.cursors.get(agent) ?? null;

  questions(agent: AgentId): Question[] {
    return [...this.openQuestions.values()].filter((question) => question.agent === agent);
  }

  state<State>(lane: LaneKey): State | null {
    return (this.lanes.get(lane)?.state as State | undefined) ?? null;
  }

  unsettledOf(lane: LaneKey): RecordedEffect[] {
    return [...this.unsettled.values()].filter((each) => each.lane === lane);
  }

  /** The next version of a lane's state, as a change. */
  laneChange(lane: LaneKey, state: unknown): Change {
    if (state === null) return { row: "lane", drop: lane };
    return { row: "lane", put: { lane, version: (this.lanes.get(lane)?.version ?? 0) + 1, state } };
  }

  /** Memory is not to be believed any more: whoever comes next waits until it has been read again. */
  private forget(): void {
    if (this.ready !== null) return;
    this.ready = this.load();
    this.ready.catch(() => undefined);
  }

  private async reread(): Promise<void> {
    const reading = this.ready;
    try {
      await reading;
      if (this.ready === reading) this.ready = null;
    } catch (error) {
      if (this.ready === reading) this.ready = null;
      this.forget();
      throw error;
    }
  }

  private async load(): Promise<void> {
    this.read(await this.store.load());
  }

  private read(books: Books): void {
    this.epoch = books.epoch;
    this.head = books.head;
    this.compacted = books.compacted;
    this.lastQuestion = books.lastQuestion;
    this.lastEffect = books.lastEffect;
    refill(
      this.settings,
      books.settings,
      ({ key }) => key,
      ({ value }) => value,
    );
    refill(this.roster, books.roster, ({ agent }) => agent, itself);
    refill(this.intents, books.intents, ({ agent }) => agent, itself);
    refill(this.openQuestions, books.questions, ({ number }) => number, itself);
    refill(this.cursors, books.cursors, ({ agent }) => agent, itself);
    refill(this.tokens, books.tokens, ({ digest }) => digest, itself);
    refill(this.lanes, books.lanes, ({ lane }) => lane, itself);
    refill(this.unsettled, books.unsettled, ({ id }) => id, itself);
    refill(
      this.waking,
      books.waking,
      ({ agent }) => agent,
      ({ seq }) => seq,
    );
  }

  private wakesUp(agent: AgentId, at: Instant): void {
    const { delivered = 0, told = 0 } = this.cursors.get(agent) ?? {};
    const waited = (this.waking.get(agent) ?? 0) > Math.max(delivered, told);
    if (!waited || !this.unheardSince.has(agent)) this.unheardSince.set(agent, at);
    this.waking.set(agent, this.head);
  }

  private apply(change: Change): void {
    switch (change.row) {
      case "message":
        this.head = change.put.seq;
        for (const agent of change.put.to)
          if (wakes(change.put.message.type, agent)) this.wakesUp(agent, change.put.at);
        return;
      case "roster":
        return "drop" in change
          ? void this.roster.delete(change.drop)
          : void this.roster.set(change.put.agent, change.put);
      case "intent":
        return "drop" in change
          ? void this.intents.delete(change.drop)
          : void this.intents.set(change.put.agent, change.put);
      case "question":
        this.lastQuestion = Math.max(this.lastQuestion, change.put.number);
        if (isOpen(change.put) || unhanded(change.put)) this.openQuestions.set(change.put.number, change.put);
        else this.openQuestions.delete(change.put.number);
        return;
      case "cursor":
        return "drop" in change
          ? void this.cursors.delete(change.drop)
          : void this.cursors.set(change.put.agent, change.put);
      case "token":
        if ("put" in change) this.tokens.set(change.put.digest, change.put);
        else for (const [digest, token] of this.tokens) if (token.run === change.drop) this.tokens.delete(digest);
        return;
      case "lane":
        return "drop" in change
          ? void this.lanes.delete(change.drop)
          : void this.lanes.set(change.put.lane, change.put);
      case "effect":
        if ("settle" in change) this.unsettled.delete(change.settle);
        else {
          this.lastEffect = change.put.id;
          this.unsettled.set(change.put.id, change.put);
        }
        return;
      case "setting":
        return void this.settings.set(change.put.key, change.put.value);
    }
  }
}

const itself = <T>(value: T): T => value;

function refill<Row, Key, Value>(
  map: Map<Key, Value>,
  rows: readonly Row[],
  key: (row: Row) => Key,
  value: (row: Row) => Value,
): void {
  map.clear();
  for (const row of rows) map.set(key(row), value(row));
}
