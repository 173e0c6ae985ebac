import type { Intent } from "../../core/claims/intents.ts";
import type { Cursor } from "../../core/messages/cursors.ts";
import { isPending, type Question } from "../../core/messages/questions.ts";
import { REPUBLISH_MS, type RosterEntry } from "../../core/messages/roster.ts";
import { wakes } from "../../core/messages/waking.ts";
import type { Change, LaneRow, RecordedEffect, Token } from "../../core/record/changes.ts";
import type { EffectId } from "../../core/record/effects.ts";
import type { JournalState } from "../../core/record/journal-state.ts";
import type { JournalView } from "../../core/record/journal-view.ts";
import type { Lane } from "../../core/record/lane.ts";
import type { AgentId, Instant, LaneKey } from "../../core/text/ids.ts";

/** What the journal has, in memory: everything that is small and current. It changes only as rows are written. */
export class JournalMemory implements JournalView {
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
  /** What is stored, as its rules read it. */
  private readonly readStates = new WeakMap<object, object>();

  get nextQuestion(): number {
    return this.lastQuestion + 1;
  }

  /** The highest numbers given so far. */
  get last(): { readonly lastEffect: number; readonly lastQuestion: number } {
    return { lastEffect: this.lastEffect, lastQuestion: this.lastQuestion };
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

  state<State, Event>({ key, rules }: Lane<State, Event>): State | null {
    const stored = this.lanes.get(key)?.state as object | undefined;
    if (stored === undefined) return rules.initial;
    const known = this.readStates.get(stored);
    if (known !== undefined) return known as State;
    const state = rules.read(stored);
    this.readStates.set(stored, state as object);
    return state;
  }

  laneKeys(): Iterable<LaneKey> {
    return this.lanes.keys();
  }

  unsettledOf(lane: LaneKey): RecordedEffect[] {
    return [...this.unsettled.values()].filter((each) => each.lane === lane);
  }

  protected read(journal: JournalState): void {
    this.epoch = journal.epoch;
    this.head = journal.head;
    this.compacted = journal.compacted;
    this.lastQuestion = journal.lastQuestion;
    this.lastEffect = journal.lastEffect;
    refill(
      this.settings,
      journal.settings,
      ({ key }) => key,
      ({ value }) => value,
    );
    refill(this.roster, journal.roster, ({ agent }) => agent, itself);
    refill(this.intents, journal.intents, ({ agent }) => agent, itself);
    refill(this.openQuestions, journal.questions, ({ number }) => number, itself);
    refill(this.cursors, journal.cursors, ({ agent }) => agent, itself);
    refill(this.tokens, journal.tokens, ({ digest }) => digest, itself);
    refill(this.lanes, journal.lanes, ({ lane }) => lane, itself);
    refill(this.unsettled, journal.unsettled, ({ id }) => id, itself);
    refill(
      this.waking,
      journal.waking,
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

  protected apply(change: Change): void {
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
        if (isPending(change.put)) this.openQuestions.set(change.put.number, change.put);
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
