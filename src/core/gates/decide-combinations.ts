import { asErrors, type Finding, findingKey } from "../messages/finding.ts";
import type { EffectOf, SettledOf } from "../record/effects.ts";
import type { JournalView } from "../record/journal-view.ts";
import { type Sent, send } from "../record/lane.ts";
import { type Saying, saying } from "../record/publish.ts";
import type { Step } from "../record/step.ts";
import { fnv1a64 } from "../text/hash.ts";
import { type AgentId, type Commit, type Instant, SUPERVISOR } from "../text/ids.ts";
import { type Base, type Check, type CheckKey, checkKey, checkLane, isEnded, verdictOf, type Wish } from "./check.ts";
import {
  COMBINATIONS_LANE,
  type CombinationEvent,
  type Combinations,
  type RedWork,
  type Round,
  setKey,
  type Work,
} from "./combinations.ts";
import type { GatePlan } from "./gate-plan.ts";
import { judge } from "./judge.ts";
import { type Known, nextCombination } from "./next-combination.ts";

/** What testing combinations asks of the engine. */
export interface CombinationEffects {
  /** Puts work together, one after the other; who conflicts with those before is left out. */
  "work.combine": {
    asks: { readonly life: number; readonly base: Base; readonly work: readonly Work[] };
    gives: {
      readonly commit: Commit;
      readonly tree: string;
      readonly left: readonly AgentId[];
      readonly plan: GatePlan;
      readonly planHash: string;
    };
  };
}

export interface CombinationFacts {
  readonly now: Instant;
  readonly view: JournalView;
  readonly settled: readonly SettledOf<CombinationEffects>[];
  readonly life: number;
  /** Everybody's work on the base, and when it was last seen to change; null where it is not to be tested. */
  readonly present: { readonly base: Base; readonly work: readonly Work[]; readonly at: Instant } | null;
  /** A slot is free, and nobody waits for one. */
  readonly idle: boolean;
  /** Somebody waits for the slot that is used here. */
  readonly pressed: boolean;
  /** How long work has to stay as it is before it is tested. */
  readonly restMs: number;
}

type CombinationStep = Step<CombinationEvent, EffectOf<CombinationEffects>>;

/** After a landing and a look: what is only foreseen waits for both, and makes room for both at once. */
export const COMBINATION_RANK = 3;

/** One combination at a time, and only while nobody else needs the slot. What is red together is told to whoever made it. */
export function decideCombinations(before: Combinations, facts: CombinationFacts): CombinationStep {
  const draft = new Draft(before, facts);
  draft.settle();
  const { effects, wakeAt = null } = draft.next();
  const { events, says, sends } = draft;
  return { events, says, sends, effects, wakeAt };
}

interface Next {
  readonly effects: readonly EffectOf<CombinationEffects>[];
  readonly wakeAt?: Instant | null;
}

const WAIT: Next = { effects: [] };

class Draft {
  readonly events: CombinationEvent[] = [];
  readonly says: Saying[] = [];
  readonly sends: Sent[] = [];
  private asked = false;

  constructor(
    private state: Combinations,
    private readonly facts: CombinationFacts,
  ) {}

  private send(event: CombinationEvent): void {
    this.events.push(event);
    this.state = COMBINATIONS_LANE.rules.reduce(this.state, event) ?? this.state;
  }

  settle(): void {
    for (const { effect, outcome } of this.facts.settled) {
      const { round } = this.state;
      if (round?.life !== effect.life || !holds(round, effect.work)) continue;
      const agents = effect.work.map(({ agent }) => agent);
      if (!outcome.ok) this.send({ type: "combined", combined: { agents, check: null } });
      else if (!outcome.skipped) {
        const { commit, tree, left, plan, planHash } = outcome;
        const alone = agents.length > 1 && agents.length - left.length < 2;
        const key = alone ? null : checkKey(tree, planHash);
        this.send({ type: "combined", combined: { agents, check: key } });
        if (key === null) continue;
        const gates = plan.commands.map(({ gate }) => gate);
        const request = { commit, tree, base: effect.base, plan, gates };
        this.sends.push(send(checkLane(key), { type: "requested", request, wish: WISH, at: this.facts.now }));
        this.asked = true;
      }
    }
  }

  next(): Next {
    const { present, now, restMs, life, pressed } = this.facts;
    if (present === null || present.work.length < 2) return this.abandon();
    if (pressed) return this.yieldSlot();
    const { round } = this.state;
    const isSame = round !== null && round.life === life && isEqual(round, present);
    if (!isSame) {
      // What runs for an earlier state of the work is worth knowing to its end.
      if (round?.life === life && this.running(round) !== null) return WAIT;
      const rested = (present.at + restMs) as Instant;
      if (rested > now) return { effects: [], wakeAt: rested };
      this.letGoAll();
      this.send({ type: "begun", life, base: present.base, work: present.work });
    }
    return this.state.round === null || this.state.round.over ? WAIT : this.advance(this.state.round);
  }

  private advance(round: Round): Next {
    const members = round.work.map(({ agent }) => agent);
    const { next, red } = nextCombination(members, (agents) => this.known(round, agents));
    if (next === null) return this.conclude(round, red.map(({ agents }) => agents) as AgentId[][]);
    const check = this.checkOf(round, next);
    if (check !== null && isWanted(check)) return WAIT;
    // What was just asked for counts before long.
    if (this.asked || !this.facts.idle) return WAIT;
    const work = round.work.filter(({ agent }) => next.includes(agent));
    return { effects: [{ type: "work.combine", life: round.life, base: round.base, work }] };
  }

  private conclude(round: Round, found: readonly (readonly AgentId[])[]): Next {
    const red = found.map((agents): RedWork => {
      const check = this.checkOf(round, agents);
      const findings = check === null ? [] : findingsOf(check);
      return { agents, findings, at: this.facts.now };
    });
    this.letGoAll();
    this.send({ type: "over", red });
    for (const each of red) this.tell(each);
    return WAIT;
  }

  /** Each once: the same tests of the same agents are no news. */
  private tell({ agents, findings }: RedWork): void {
    const key = fnv1a64(JSON.stringify([setKey(agents), findings.map(findingKey)]));
    if (this.state.told.includes(key)) return;
    this.send({ type: "told", key });
    for (const agent of agents) {
      const others = agents.filter((each) => each !== agent).join(" and ");
      const own = findings.map((finding) => ({ ...finding, message: together(finding.message, others) }));
      const payload = { from: SUPERVISOR, errors: asErrors(own) };
      this.says.push(saying({ type: "agent.feedback", agent_id: agent, payload }));
    }
  }

  private known(round: Round, agents: readonly string[]): Known {
    const combined = round.combined.find((each) => setKey(each.agents) === setKey(agents));
    if (combined === undefined) return "unknown";
    if (combined.check === null) return "conflict";
    const check = this.check(combined.check);
    if (check === null || !isEnded(check)) return "unknown";
    // What could not be run says nothing of the work.
    if (check.failure !== null || check.results.some(({ trouble }) => trouble !== null)) return "conflict";
    return verdictOf(check) === "fail" ? "red" : "green";
  }

  private checkOf(round: Round, agents: readonly string[]): Check | null {
    const key = round.combined.find((each) => setKey(each.agents) === setKey(agents))?.check ?? null;
    return key === null ? null : this.check(key);
  }

  private running(round: Round): CheckKey | null {
    const checks = round.combined.flatMap(({ check }) => (check === null ? [] : [this.check(check)]));
    return checks.find((check) => check !== null && !isEnded(check) && isWanted(check))?.key ?? null;
  }

  /** Work is not lost by it: what was tested is known by its tree. */
  private yieldSlot(): Next {
    const running = this.state.round === null ? null : this.running(this.state.round);
    if (running !== null) this.letGo(running);
    return WAIT;
  }

  private abandon(): Next {
    this.letGoAll();
    if (this.state.round !== null || this.state.red.length > 0) this.send({ type: "abandoned" });
    return WAIT;
  }

  private letGoAll(): void {
    for (const { check } of this.state.round?.combined ?? []) if (check !== null) this.letGo(check);
  }

  private letGo(key: CheckKey): void {
    this.sends.push(send(checkLane(key), { type: "let-go", lane: COMBINATIONS_LANE.key }));
  }

  private check = (key: CheckKey): Check | null => this.facts.view.state(checkLane(key));
}

const WISH: Wish = { lane: COMBINATIONS_LANE.key, all: false, rank: COMBINATION_RANK };

const isWanted = ({ wantedBy }: Check): boolean => wantedBy.some(({ lane }) => lane === COMBINATIONS_LANE.key);

const isEqual = ({ base, work }: Round, present: { readonly base: Base; readonly work: readonly Work[] }): boolean =>
  base.commit === present.base.commit && work.length === present.work.length && holds({ work: present.work }, work);

const holds = (round: Pick<Round, "work">, work: readonly Work[]): boolean =>
  work.every(({ agent, commit }) => round.work.some((each) => each.agent === agent && each.commit === commit));

/** As of a tree whose parts are green: whatever fails, fails because they meet. */
function findingsOf(check: Check): Finding[] {
  const { findings } = judge({ results: check.results, base: [], inspection: null, accepted: [], refused: [] });
  return findings.map((finding) => ({ ...finding, kind: "regression", tag: "regression" }));
}

const together = (message: string, others: string): string =>
  `${message} once your work is together with that of ${others}, as it is now`;
