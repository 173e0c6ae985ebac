import type { Finding } from "../messages/finding.ts";
import type { Lane, LaneRules } from "../record/lane.ts";
import type { AgentId, Commit, Instant, LaneKey } from "../text/ids.ts";
import type { Base, CheckKey } from "./check.ts";

/** Agents' present work, put together and tested before anything of it lands. There is one for a session. */
export interface Combinations {
  readonly round: Round | null;
  /** What the last whole round has found. */
  readonly red: readonly RedWork[];
  /** What agents have heard of, by `redKey`. */
  readonly told: readonly string[];
}

/** One state of everybody's work, and what is known of its combinations. */
export interface Round {
  /** Which supervisor began it: commits of uncommitted work are gone with it. */
  readonly life: number;
  readonly base: Base;
  readonly work: readonly Work[];
  readonly combined: readonly Combined[];
  readonly over: boolean;
}

/** An agent's work as it was, what is uncommitted included. */
export interface Work {
  readonly agent: AgentId;
  readonly commit: Commit;
}

export interface Combined {
  readonly agents: readonly string[];
  /** Null where it could not be put together, or could not be tested. */
  readonly check: CheckKey | null;
}

/** Work that is green by itself and red together. */
export interface RedWork {
  readonly agents: readonly AgentId[];
  readonly findings: readonly Finding[];
  readonly at: Instant;
}

export type CombinationEvent =
  | { readonly type: "begun"; readonly life: number; readonly base: Base; readonly work: readonly Work[] }
  | { readonly type: "combined"; readonly combined: Combined }
  | { readonly type: "over"; readonly red: readonly RedWork[] }
  | { readonly type: "told"; readonly key: string }
  | { readonly type: "abandoned" };

const MOST_TOLD = 200;

const NOTHING: Combinations = { round: null, red: [], told: [] };

const RULES: LaneRules<Combinations, CombinationEvent> = {
  initial: NOTHING,
  read: (stored) => ({ ...NOTHING, ...(stored as Combinations) }),
  reduce: (state, event) => reduceCombinations(state ?? NOTHING, event),
};

export const COMBINATIONS_LANE: Lane<Combinations, CombinationEvent> = { key: "combinations" as LaneKey, rules: RULES };

function reduceCombinations(state: Combinations, event: CombinationEvent): Combinations {
  switch (event.type) {
    case "begun": {
      const { life, base, work } = event;
      return { ...state, round: { life, base, work, combined: [], over: false } };
    }
    case "combined":
      return state.round === null ? state : { ...state, round: withCombined(state.round, event.combined) };
    case "over":
      return { ...state, red: event.red, round: state.round === null ? null : { ...state.round, over: true } };
    case "told":
      return { ...state, told: [...state.told, event.key].slice(-MOST_TOLD) };
    case "abandoned":
      return state.round === null && state.red.length === 0 ? state : { ...state, round: null, red: [] };
  }
}

function withCombined(round: Round, combined: Combined): Round {
  const key = setKey(combined.agents);
  return { ...round, combined: [...round.combined.filter(({ agents }) => setKey(agents) !== key), combined] };
}

/** The same agents in any order. */
export const setKey = (agents: readonly string[]): string => [...agents].sort().join(" ");
