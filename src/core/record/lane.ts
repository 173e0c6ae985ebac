import type { LaneKey } from "../text/ids.ts";

/** The pure part of a kind of lane: how its stored state reads, and how an event changes it. */
export interface LaneRules<State, Event> {
  /** The state while nothing is stored. Null: there is no such lane until an event begins it. */
  readonly initial: State | null;
  /** The state as the journal has it. What an older version did not write gets its default here. */
  read(stored: unknown): State;
  /** The state after an event. Null: nothing is stored any more. The same object: the event changes nothing. */
  reduce(state: State | null, event: Event): State | null;
}

/** One lane: its key in the journal, and the rules of its kind. */
export interface Lane<State, Event> {
  readonly key: LaneKey;
  readonly rules: LaneRules<State, Event>;
}

/** Whoever decides on lanes' states reads them through this. */
export interface LaneReader {
  state<State, Event>(lane: Lane<State, Event>): State | null;
  laneKeys(): Iterable<LaneKey>;
}

/** An event on its way to a lane. The lane's types are known only to whoever sent it. */
export interface Sent {
  readonly lane: Lane<unknown, unknown>;
  readonly event: unknown;
}

export const send = <State, Event>(lane: Lane<State, Event>, event: Event): Sent => ({
  lane: lane as unknown as Lane<unknown, unknown>,
  event,
});
