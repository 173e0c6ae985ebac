import { createRefreshSoon } from "../../async/refresh-soon.ts";
import type { Assignment } from "../../core/agents/assignment.ts";
import type { ForeseeFacts } from "../../core/conflicts/foresee.ts";
import { CONFLICT_LANE } from "../../core/conflicts/open-conflicts.ts";
import { assignmentsOf, sessionOf } from "../../core/session/read-session.ts";
import type { AgentId, Branch, Instant } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording, Waking } from "../journal/recording.ts";
import { createPredictions, type LookOrder, type Predictions } from "./predictions.ts";

/** Edits that come within it are looked at together; the watcher has gathered them for longer already. */
const GATHER_MS = 10;
/** What has failed will not be better at once. */
const AGAIN_MS = 1_000;

/** Predictions as of the last look. */
export interface CurrentPredictions {
  readonly predictions: Predictions;
  readonly at: Instant;
  /** The same, as the lane `conflicts` decides on it. */
  readonly facts: Omit<ForeseeFacts, "before">;
}

/** Keeps current what everybody's present work would make of each other, and wakes who decides on it. */
export interface PredictionKeeper {
  /** An agent's worktree is not what it was. */
  edited(agent: AgentId): void;
  /** The branch everything lands on has moved. */
  moved(): void;
  base(): Branch | null;
  /** Null before the first look. */
  current(): CurrentPredictions | null;
  /** Tells after each look. */
  onLook(tell: () => void): void;
  stop(): void;
}

type Looking = Recording & Pick<Ports, "predictor">;

export function keepPredictions(context: Looking & Waking, onError: (error: unknown) => void): PredictionKeeper {
  const { journal, clock, predictor } = context;
  const look = createPredictions(predictor);
  const touched = new FirstTouches();
  let edited = new Set<AgentId>();
  const listeners: (() => void)[] = [];
  let over = false;
  let current: CurrentPredictions | null = null;

  const lookAgain = async (changed: ReadonlySet<AgentId>): Promise<boolean> => {
    const order = await lookOrder(context, (assignment) => assignment.wanted === "up");
    // Nothing to merge with. It is not looked for again: who brings it back moves it.
    if (order === null) return false;
    for (const { name } of order.agents) touched.see(name, journal.entry(name)?.files ?? [], order.now);
    const predictions = await look({ ...order, edited: changed });
    if (over) return true;
    current = currentBy(predictions, clock.now(), touched);
    context.wake(CONFLICT_LANE.key);
    for (const tell of listeners) tell();
    return true;
  };
  const refresh = async () => {
    const changed = edited;
    edited = new Set();
    let looked = false;
    try {
      looked = await lookAgain(changed);
    } finally {
      if (!looked) for (const agent of changed) edited.add(agent);
    }
  };
  const soon = createRefreshSoon({ clock, gatherMs: GATHER_MS, againMs: AGAIN_MS, refresh, onError });
  return {
    edited(agent) {
      edited.add(agent);
      soon.ask();
    },
    moved: soon.ask,
    base: () => sessionOf(journal)?.base ?? null,
    current: () => current,
    onLook: (tell) => void listeners.push(tell),
    stop() {
      over = true;
      soon.stop();
    },
  };
}

function currentBy(predictions: Predictions, at: Instant, touched: FirstTouches): CurrentPredictions {
  const unknown = new Set(predictions.problems.flatMap(({ between }) => between));
  return { predictions, at, facts: { pairs: predictions.pairs, unknown, touched: touched.when } };
}

/** One look at all that is there, where nobody keeps it current. Null without a session. */
export async function predictOnce(context: Looking): Promise<CurrentPredictions | null> {
  const order = await lookOrder(context, () => true);
  if (order === null) return null;
  return currentBy(await createPredictions(context.predictor)(order), order.now, new FirstTouches());
}

async function lookOrder(
  { journal, clock, predictor }: Looking,
  counts: (assignment: Assignment) => boolean,
): Promise<LookOrder | null> {
  const session = sessionOf(journal);
  const commit = session === null ? null : await predictor.commitOf(`refs/heads/${session.base}`);
  if (session === null || commit === null) return null;
  const assignments = assignmentsOf(journal).filter((assignment) => assignment.ready && counts(assignment));
  return {
    agents: assignments.map(({ agent, worktree, setUp }) => ({ name: agent, worktree, skip: setUp.copy })),
    base: { name: session.base, commit },
    now: clock.now(),
  };
}

/** When each agent was first seen to have changed a path. What was there before we looked came before everything else. */
class FirstTouches {
  private readonly seen = new Map<AgentId, Map<string, Instant>>();

  see(agent: AgentId, files: readonly string[], now: Instant): void {
    const known = this.seen.get(agent);
    const at = known ?? new Map<string, Instant>();
    const time = known === undefined ? (0 as Instant) : now;
    for (const file of files) if (!at.has(file)) at.set(file, time);
    this.seen.set(agent, at);
  }

  when = (agent: string, path: string): Instant | null => this.seen.get(agent as AgentId)?.get(path) ?? null;
}
