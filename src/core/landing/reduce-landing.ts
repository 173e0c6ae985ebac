import type { Lane, LaneRules } from "../record/lane.ts";
import type { LaneKey } from "../text/ids.ts";
import type { Candidate, Landed, LandingEvent, Landings, Planned, Train } from "./landing.ts";

const MOST_LANDED = 500;
const MOST_BLOCKED = 500;
const MOST_ACCEPTED = 500;

const NOTHING: Landings = {
  target: null,
  queue: [],
  train: null,
  landed: [],
  blocked: [],
  resolved: {},
  accepted: [],
  since: null,
  began: null,
  ended: null,
  offered: null,
  runs: 0,
  strategy: "train",
};

const RULES: LaneRules<Landings, LandingEvent> = {
  initial: NOTHING,
  read: (stored) => ({ ...NOTHING, ...(stored as Landings) }),
  reduce: (state, event) => reduceLandings(state ?? NOTHING, event),
};

export const LAND_LANE: Lane<Landings, LandingEvent> = { key: "land" as LaneKey, rules: RULES };

function reduceLandings(state: Landings, event: LandingEvent): Landings {
  switch (event.type) {
    case "asked":
      return asked(state, event);
    case "blocked": {
      const { agent, from } = event.blocked;
      if (state.blocked.some((each) => each.agent === agent && each.from === from)) return state;
      return { ...state, blocked: [...state.blocked, event.blocked].slice(-MOST_BLOCKED) };
    }
    case "planned": {
      const { base, order, groups, at } = event;
      const train = { base, order, staged: [], closed: false, date: at, checks: {}, again: [], groups };
      return { ...state, train };
    }
    case "inspected":
      return withCandidate(state, event.branch, { inspected: true, ...(event.accepted && { accepted: true }) });
    case "flaky":
      return withCandidate(state, event.branch, { flaky: true });
    case "ended":
      return ended(state, event);
    case "offered":
      return { ...state, offered: event.request };
    case "finished":
      return { ...state, train: null, since: null, ended: event.at };
    case "resolved":
      return { ...state, resolved: { ...state.resolved, [event.cycle]: event.answer } };
    case "accepted":
      return accepted(state, event);
    case "replanned":
      return { ...unstaged(state), train: null };
    default:
      return state.train === null ? state : inTrain(state, state.train, event);
  }
}

type TrainEvent = Extract<LandingEvent, { type: "staged" | "deferred" | "closed" | "testing" | "again" | "landed" }>;

function inTrain(state: Landings, train: Train, event: TrainEvent): Landings {
  switch (event.type) {
    case "staged": {
      const { staged } = event;
      const order = train.order.filter(({ branch }) => branch !== staged.branch);
      const next = { ...train, order, staged: [...train.staged, staged] };
      return withCandidate({ ...state, train: next }, staged.branch, { state: "staged" });
    }
    case "deferred": {
      const order = withoutDependents(train.order, event.branch);
      return withCandidate({ ...state, train: { ...train, order } }, event.branch, { met: event.met });
    }
    case "closed":
      return { ...state, train: { ...train, closed: true } };
    case "testing": {
      const checks = { ...train.checks, [event.commit]: event.check };
      return { ...state, runs: state.runs + (event.cached ? 0 : 1), train: { ...train, checks } };
    }
    case "again":
      return { ...state, runs: state.runs + 1, train: { ...train, again: [...train.again, event.commit] } };
    case "landed":
      return landed(state, train, event);
  }
}

/** What needs it comes after it, in a later train. */
function withoutDependents(order: readonly Planned[], gone: string): Planned[] {
  const left = new Set([gone]);
  return order.filter(({ branch, needs }) => {
    if (branch !== gone && !needs.some((need) => left.has(need))) return true;
    left.add(branch);
    return false;
  });
}

/** A second request joins the queue, and is taken in at the next plan; what is under way stays as it was asked for. */
function asked(
  state: Landings,
  { target, strategy, branches, at }: Extract<LandingEvent, { type: "asked" }>,
): Landings {
  const begins = state.since === null;
  const names = new Set(branches.map(({ branch }) => branch));
  const under = (candidate: Candidate) => candidate.state === "staged" || candidate.state === "queued";
  // What waits for a person waits on, whatever else is asked for.
  const stays = (each: Candidate) => (begins ? each.state === "waiting" : true);
  const kept = state.queue.filter((each) => stays(each) && (!names.has(each.branch) || under(each)));
  const added = branches
    .filter(({ branch }) => !kept.some((each) => each.branch === branch))
    .map(
      ({ branch, agent, tip, inspected = false }): Candidate => ({
        branch,
        agent,
        tip,
        state: "queued",
        because: null,
        findings: [],
        inspected,
        accepted: inspected,
        flaky: false,
        held: false,
        met: [],
      }),
    );
  return {
    ...state,
    target: begins ? target : state.target,
    strategy: begins ? strategy : state.strategy,
    queue: [...kept, ...added],
    since: state.since ?? at,
    began: begins ? at : state.began,
    ended: null,
    runs: begins ? 0 : state.runs,
  };
}

function accepted(state: Landings, { branch, findings, at }: Extract<LandingEvent, { type: "accepted" }>): Landings {
  const own = findings.map((key) => `${key} ${branch}`);
  const all = [...new Set([...state.accepted, ...own])].slice(-MOST_ACCEPTED);
  const waits = state.queue.some((each) => each.branch === branch && each.state === "waiting");
  const change = { state: "queued", because: null, findings: [], accepted: true } as const;
  const again = waits ? withCandidate(state, branch, change) : state;
  return { ...again, accepted: all, since: waits ? (state.since ?? at) : state.since };
}

function ended(
  state: Landings,
  { branch, as, because, findings, held = false }: Extract<LandingEvent, { type: "ended" }>,
): Landings {
  const changed = withCandidate(state, branch, { state: as, because, findings, held });
  const { train } = changed;
  if (train === null) return changed;
  return { ...changed, train: { ...train, order: train.order.filter((each) => each.branch !== branch) } };
}

function landed(
  state: Landings,
  train: Train,
  { count, tree, at }: Extract<LandingEvent, { type: "landed" }>,
): Landings {
  const done = train.staged.slice(0, count);
  const point = done.at(-1)?.to ?? train.base;
  const agentOf = (branch: string) => state.queue.find((each) => each.branch === branch)?.agent ?? null;
  const records = done.map(
    ({ branch, tip, to }, i): Landed => ({
      branch,
      agent: agentOf(branch),
      from: tip,
      to,
      onto: done[i - 1]?.to ?? train.base,
      point,
      before: train.base,
      tree,
      at,
    }),
  );
  const after = done.reduce(
    (next, { branch }) => withCandidate(next, branch, { state: "landed", because: null }),
    state,
  );
  return { ...unstaged(released(after)), train: null, landed: [...state.landed, ...records].slice(-MOST_LANDED) };
}

/** The target is another one now: whoever waited for that is tried again. */
const released = (state: Landings): Landings => ({
  ...state,
  queue: state.queue.map((each) =>
    each.state === "waiting" && each.held ? { ...each, state: "queued", because: null, held: false } : each,
  ),
});

/** What was staged and has neither landed nor ended waits for the next plan. */
const unstaged = (state: Landings): Landings => ({
  ...state,
  queue: state.queue.map((each) => (each.state === "staged" ? { ...each, state: "queued" } : each)),
});

const withCandidate = (state: Landings, branch: string, change: Partial<Candidate>): Landings => ({
  ...state,
  queue: state.queue.map((each) => (each.branch === branch ? { ...each, ...change } : each)),
});
