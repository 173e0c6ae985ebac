import type { Failure } from "../failure/failure.ts";
import type { Finding } from "../messages/finding.ts";
import type { Lane, LaneRules } from "../record/lane.ts";
import type { AgentId, Branch, Commit, Instant, LaneKey } from "../text/ids.ts";
import type { CheckKey } from "./check.ts";
import type { GatePlan } from "./gate-plan.ts";
import type { Review } from "./governance/review.ts";
import type { Inspection } from "./inspection.ts";
import type { Verdict } from "./verdict.ts";

/** What is known of one branch (or any other ref): its newest commit, checked, and compared with the base. */
export interface Verification {
  readonly name: string;
  readonly agent: AgentId | null;
  readonly ref: string;
  /** The branch its work is to land on. */
  readonly base: Branch;
  /** What is looked at now; null where nobody has asked. */
  readonly wanted: Wanted | null;
  readonly prepared: Prepared | null;
  /** What governance came to for this commit; null while nobody has looked, or nothing asks for it. */
  readonly review: Review | null;
  /** What became of it; null while it is looked at. */
  readonly judged: Judged | null;
  /** The verdict before this one. */
  readonly previous: Judged | null;
  /** Findings that a person has accepted, by `findingKey`. */
  readonly accepted: readonly string[];
  /** And those that a person will not have. */
  readonly refused: readonly string[];
  /** The verdict its agent has heard of, by commit and text. */
  readonly told: string | null;
}

interface Wanted {
  readonly commit: Commit;
  readonly base: Commit;
  readonly at: Instant;
  /** Run everything again, whatever is known. */
  readonly fresh: boolean;
  /** Somebody has asked for it, and waits. */
  readonly awaited: boolean;
}

/** What has to be known before anything is run. */
interface Prepared {
  readonly inspection: Inspection;
  readonly plan: GatePlan;
  readonly own: CheckKey;
  readonly onBase: CheckKey;
  /** Where the commands came from, and what was strange about it. */
  readonly notes: readonly string[];
}

export interface Judged {
  readonly commit: Commit;
  readonly base: Commit;
  readonly tree: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly because: string | null;
  readonly check: CheckKey | null;
  readonly failure: Failure | null;
  readonly at: Instant;
}

export interface Subject {
  readonly agent: AgentId | null;
  readonly ref: string;
  readonly base: Branch;
}

export type VerificationEvent =
  | {
      readonly type: "asked";
      readonly subject: Subject;
      readonly fresh: boolean;
      readonly awaited: boolean;
      readonly at: Instant;
    }
  | { readonly type: "aimed"; readonly commit: Commit; readonly base: Commit; readonly at: Instant }
  | { readonly type: "prepared"; readonly prepared: Prepared }
  | { readonly type: "reviewed"; readonly review: Review }
  | { readonly type: "judged"; readonly judged: Judged }
  | { readonly type: "told"; readonly what: string }
  /** A person has answered: these findings do not count, or they count as failures. */
  | { readonly type: "settled"; readonly findings: readonly string[]; readonly accepted: boolean }
  /** A person has mended what was in the way. */
  | { readonly type: "again"; readonly at: Instant }
  /** Nobody looks after it any more: its agent is gone. */
  | { readonly type: "dropped" };

const PREFIX = "verify/";

export const verificationLane = (name: string): Lane<Verification, VerificationEvent> => ({
  key: `${PREFIX}${name}` as LaneKey,
  rules: rulesOf(name),
});

export const laneVerification = (key: LaneKey): string | null =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null;

const rulesOf = (name: string): LaneRules<Verification, VerificationEvent> => ({
  initial: null,
  read: (stored) => ({ ...NEW, ...(stored as Verification) }),
  reduce: (state, event) => reduceVerification(name, state, event),
});

/** Asked for, and not aimed at a commit yet. */
export const UNAIMED = "" as Commit;

function reduceVerification(name: string, state: Verification | null, event: VerificationEvent): Verification | null {
  if (event.type === "asked") {
    const { subject, fresh, awaited, at } = event;
    const wanted = { commit: UNAIMED, base: UNAIMED, at, fresh, awaited };
    return { ...anew(state ?? NEW), name, ...subject, wanted };
  }
  if (event.type === "dropped" || state === null) return null;
  switch (event.type) {
    case "aimed": {
      const { commit, base, at } = event;
      const fresh = state.wanted?.commit === UNAIMED && state.wanted.fresh;
      return { ...anew(state), wanted: { commit, base, at, fresh, awaited: state.wanted?.awaited ?? false } };
    }
    case "prepared":
      return { ...state, prepared: event.prepared };
    case "reviewed":
      return { ...state, review: event.review };
    case "judged":
      return { ...state, judged: event.judged };
    case "told":
      return { ...state, told: event.what };
    case "settled":
      return settled(state, event.findings, event.accepted);
    case "again":
      return { ...anew(state), wanted: { ...NOW, at: event.at } };
  }
}

const NOW = { commit: UNAIMED, base: UNAIMED, fresh: false, awaited: true } as const;

const anew = <State extends Pick<Verification, "prepared" | "review" | "judged" | "previous">>(
  state: State,
): State => ({
  ...state,
  prepared: null,
  review: null,
  judged: null,
  previous: state.judged ?? state.previous,
});

const MOST_SETTLED = 500;

function settled(state: Verification, findings: readonly string[], accepted: boolean): Verification {
  const others = (list: readonly string[]) => list.filter((each) => !findings.includes(each));
  const more = (list: readonly string[]) => [...others(list), ...findings].slice(-MOST_SETTLED);
  return {
    ...state,
    accepted: accepted ? more(state.accepted) : others(state.accepted),
    refused: accepted ? others(state.refused) : more(state.refused),
    judged: null,
    previous: state.judged ?? state.previous,
  };
}

const NEW: Omit<Verification, "name" | "agent" | "ref" | "base" | "wanted"> = {
  prepared: null,
  review: null,
  judged: null,
  previous: null,
  accepted: [],
  refused: [],
  told: null,
};
