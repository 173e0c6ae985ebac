import type { Failure } from "../failure/failure.ts";
import type { Lane, LaneRules } from "../record/lane.ts";
import type { Branch, Commit, Instant, LaneKey } from "../text/ids.ts";
import type { GatePlan } from "./gate-plan.ts";
import type { GateResult } from "./gate-result.ts";
import type { Gate } from "./gates.ts";
import { together, type Verdict } from "./verdict.ts";

/** The gates run on one tree. What it came to is kept: the same tree with the same plan is not run again. */
export interface Check {
  readonly key: CheckKey;
  readonly commit: Commit;
  readonly tree: string;
  /** Where the work is to land. */
  readonly base: Base;
  readonly plan: GatePlan;
  /** Those to run, in order; the plan's others are skipped. */
  readonly gates: readonly Gate[];
  /** Lanes that wait for it, each as it asked. Where nobody does, nothing more is run. */
  readonly wantedBy: readonly Wish[];
  readonly results: readonly GateResult[];
  /** What runs before came to, where it was run again. */
  readonly earlier: readonly (readonly GateResult[])[];
  readonly setUp: SetUpReport | null;
  /** Why nothing could be run. */
  readonly failure: Failure | null;
  readonly at: Instant;
  readonly endedAt: Instant | null;
}

export type CheckKey = string & { readonly brand: "CheckKey" };

export interface Wish {
  readonly lane: LaneKey;
  /** Also those after one that fails. */
  readonly all: boolean;
  /** Lower ones go first: a landing before a look, a look before what is only foreseen. */
  readonly rank: number;
}

/** What making the checkout ready took. `kept`: what an earlier one left was used again. */
export interface SetUpReport {
  readonly how: "none" | "kept" | "ran";
  readonly seconds: number;
  readonly warnings: readonly string[];
}

export interface Base {
  readonly branch: Branch;
  readonly commit: Commit;
}

export interface CheckRequest {
  readonly commit: Commit;
  readonly tree: string;
  readonly base: Base;
  readonly plan: GatePlan;
  readonly gates: readonly Gate[];
}

export type CheckEvent =
  | { readonly type: "requested"; readonly request: CheckRequest; readonly wish: Wish; readonly at: Instant }
  /** Somebody does not wait for it any more. */
  | { readonly type: "let-go"; readonly lane: LaneKey }
  | { readonly type: "ran"; readonly result: GateResult; readonly setUp: SetUpReport | null; readonly at: Instant }
  | { readonly type: "troubled"; readonly failure: Failure; readonly at: Instant }
  /** Whoever wants to be sure has it run once more. */
  | { readonly type: "again"; readonly wish: Wish; readonly at: Instant }
  | { readonly type: "forgotten" };

export const checkKey = (tree: string, planHash: string): CheckKey => `${tree}-${planHash}` as CheckKey;

const PREFIX = "check/";

export const checkLane = (key: CheckKey): Lane<Check, CheckEvent> => ({
  key: `${PREFIX}${key}` as LaneKey,
  rules: rulesOf(key),
});

export const laneCheck = (key: LaneKey): CheckKey | null =>
  key.startsWith(PREFIX) ? (key.slice(PREFIX.length) as CheckKey) : null;

const rulesOf = (key: CheckKey): LaneRules<Check, CheckEvent> => ({
  initial: null,
  read: (stored) => stored as Check,
  reduce: (state, event) => reduceCheck(key, state, event),
});

function reduceCheck(key: CheckKey, state: Check | null, event: CheckEvent): Check | null {
  if (event.type === "requested") return requested(state ?? fresh(key, event.request, event.at), event);
  if (event.type === "forgotten" || state === null) return null;
  switch (event.type) {
    case "let-go":
      return state.wantedBy.some(({ lane }) => lane === event.lane)
        ? { ...state, wantedBy: state.wantedBy.filter(({ lane }) => lane !== event.lane) }
        : state;
    case "ran": {
      const results = [...state.results.filter(({ gate }) => gate !== event.result.gate), event.result];
      return ended({ ...state, results, setUp: event.setUp ?? state.setUp }, event.at);
    }
    case "troubled":
      return { ...state, failure: event.failure, endedAt: event.at };
    case "again": {
      const earlier = [...state.earlier, state.results].slice(-MOST_EARLIER);
      return wish({ ...state, earlier, results: [], failure: null, endedAt: null }, event.wish);
    }
  }
}

const MOST_EARLIER = 3;

const fresh = (key: CheckKey, { commit, tree, base, plan, gates }: CheckRequest, at: Instant): Check => ({
  key,
  commit,
  tree,
  base,
  plan,
  gates,
  wantedBy: [],
  results: [],
  earlier: [],
  setUp: null,
  failure: null,
  at,
  endedAt: null,
});

/** What could not be run is tried again by whoever asks again. Another may need more gates than the first did. */
function requested(state: Check, { request, wish: added, at }: Extract<CheckEvent, { type: "requested" }>): Check {
  const gates = [...new Set([...state.gates, ...request.gates])];
  const sorted = state.plan.commands.map(({ gate }) => gate).filter((gate) => gates.includes(gate));
  const again = state.failure === null ? state : { ...state, failure: null, endedAt: null };
  return ended(wish({ ...again, gates: sorted, endedAt: null }, added), again.endedAt ?? at);
}

const wish = (state: Check, added: Wish): Check => ({
  ...state,
  wantedBy: [...state.wantedBy.filter(({ lane }) => lane !== added.lane), added],
});

const ended = (state: Check, at: Instant): Check =>
  nextGate(state) === null ? { ...state, endedAt: at } : { ...state, endedAt: null };

/** The gate to run next; null where there is none. After one that fails, the others only where somebody wants them all. */
export function nextGate({ gates, results, wantedBy, failure }: Check): Gate | null {
  if (failure !== null) return null;
  const failed = results.some(({ verdict }) => verdict === "fail");
  if (failed && !wantedBy.some(({ all }) => all)) return null;
  return gates.find((gate) => !results.some((result) => result.gate === gate)) ?? null;
}

export const isEnded = ({ endedAt }: Check): boolean => endedAt !== null;

/** Of the tree alone, without what it is compared with. */
export function verdictOf(check: Check): Verdict {
  if (check.failure !== null) return "waiting";
  const done = check.results.map(({ verdict }) => verdict);
  if (done.includes("fail")) return "fail";
  if (!isEnded(check)) return "running";
  return check.gates.length === 0 ? (check.plan.none ? "skipped" : "waiting") : together(done);
}

/** Green once and red once: what was red is not believed. */
export const isFlaky = (check: Check): boolean =>
  verdictOf(check) === "pass" && check.earlier.some((results) => results.some(({ verdict }) => verdict === "fail"));

/** The most urgent of those who wait. */
export const rankOf = ({ wantedBy }: Pick<Check, "wantedBy">): number =>
  Math.min(...wantedBy.map(({ rank }) => rank), Number.MAX_SAFE_INTEGER);
