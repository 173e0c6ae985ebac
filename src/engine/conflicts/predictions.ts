import { createTurns, forEachAtMost } from "../../async/turns.ts";
import type { Foresight } from "../../core/conflicts/foresee.ts";
import {
  type BaseSide,
  isAttributes,
  type Known,
  type Planned,
  pairKey,
  planPredictions,
  type Side,
} from "../../core/conflicts/plan-predictions.ts";
import type { Prediction } from "../../core/conflicts/prediction.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentId, Commit, Instant } from "../../core/text/ids.ts";
import type { Predictor, WorkCommit } from "../../ports/predictor.ts";

/** What the agents of a session, and the base they are to land on, would make of each other now. */
export interface Predictions {
  /** Pairs that meet, each agent with the base among them; all others cannot conflict. */
  readonly pairs: readonly PairPrediction[];
  /** What each agent has, as far as it has changed anything. */
  readonly work: readonly { readonly agent: AgentId; readonly commit: Commit }[];
  readonly base: BaseSide;
  /** What could not be looked at or merged: neither clean nor a conflict. Tried again the next time. */
  readonly problems: readonly { readonly between: readonly string[]; readonly failure: Failure }[];
}

/** `since`: when it was first seen to be as it is, in conflict or clean. */
export type PairPrediction = Foresight;

export interface LookOrder {
  readonly agents: readonly { readonly name: AgentId; readonly worktree: string; readonly skip: readonly string[] }[];
  readonly base: BaseSide;
  /** Who may have changed something since the last look; everybody if it is not said. */
  readonly edited?: ReadonlySet<AgentId>;
  readonly now: Instant;
}

/** Git processes side by side. On two cores more only wait for each other. */
const AT_ONCE = 2;

type Result = Pick<PairPrediction, "prediction" | "since">;

/**
 * Keeps predictions current, in memory: who has edited is looked at again, and only pairs to which that matters are
 * merged again. One look at a time.
 */
export function createPredictions(predictor: Predictor): (order: LookOrder) => Promise<Predictions> {
  const taken = new Map<AgentId, Taken>();
  let known: readonly Known<Result>[] = [];
  const inTurn = createTurns();

  const look = async ({ agents, base, edited, now }: LookOrder): Promise<Predictions> => {
    const problems: Problem[] = [];
    const present = new Set(agents.map(({ name }) => name));
    for (const name of taken.keys()) if (!present.has(name)) taken.delete(name);
    await forEachAtMost(AT_ONCE, agents, async ({ name, worktree, skip }) => {
      const before = taken.get(name);
      const fresh = before?.worktree === worktree && before.base === base.commit && before.store === predictor.store();
      if (before !== undefined && fresh && edited?.has(name) === false) return;
      taken.delete(name);
      const found = await attempt(() => predictor.workCommit({ path: worktree, base: base.commit, skip }));
      if ("failure" in found) problems.push({ between: [name], failure: found.failure });
      else taken.set(name, { ...found.value, name, worktree, base: base.commit });
    });
    const sides = agents.flatMap(({ name }) => taken.get(name) ?? []);
    const { compute, keep } = planPredictions(sides, base, known);
    const before = new Map(known.map((each) => [pairKey(each), each.result]));
    const added: Known<Result>[] = [];
    await forEachAtMost(AT_ONCE, batches(compute), async ({ worktree, pairs }) => {
      for (const { pair, answer } of await predictBatch(predictor, worktree, pairs)) {
        const between = [pair.ours.name, pair.theirs.name] as const;
        if ("failure" in answer) problems.push({ between, failure: answer.failure });
        else added.push({ ...pair, result: dated(answer.value, before.get(pairKey(pair)), now) });
      }
    });
    known = [...keep, ...added];
    const work = sides.filter(({ changed }) => changed.length > 0).map(({ name, commit }) => ({ agent: name, commit }));
    return { pairs: inOrder(known, sides), work, base, problems };
  };

  return (order) => inTurn(() => look(order));
}

type Problem = Predictions["problems"][number];

interface Taken extends WorkCommit, Side {
  readonly name: AgentId;
  readonly worktree: string;
  readonly base: Commit;
}

function dated(prediction: Prediction, before: Result | undefined, now: Instant): Result {
  const same = before !== undefined && isConflict(before.prediction) === isConflict(prediction);
  return { prediction, since: same ? before.since : now };
}

const isConflict = ({ outcome }: Prediction): boolean => outcome === "conflict";

/** As the sides stand, whatever was merged first. */
function inOrder(known: readonly Known<Result>[], sides: readonly Side[]): PairPrediction[] {
  const place = new Map(sides.map(({ name }, i) => [name, i]));
  const rank = ({ ours, theirs }: Planned) =>
    (place.get(ours.name) ?? 0) * (sides.length + 1) + ("changed" in theirs ? (place.get(theirs.name) ?? 0) + 1 : 0);
  return [...known]
    .sort((a, b) => rank(a) - rank(b))
    .map(({ ours, theirs, result }) => ({
      between: [ours.name, theirs.name],
      base: !("changed" in theirs),
      ...result,
    }));
}

interface Batch {
  readonly worktree: string;
  readonly pairs: readonly Planned[];
}

/** Pairs in as few processes as can be: whoever is in most of them lends the worktree. After one edit that is one. */
function batches(pairs: readonly Planned[]): Batch[] {
  const found: Batch[] = [];
  for (let left = pairs; left.length > 0; ) {
    const counts = new Map<string, number>();
    for (const side of left.flatMap(worktreesOf)) counts.set(side, (counts.get(side) ?? 0) + 1);
    const [[worktree]] = [...counts].sort(([, a], [, b]) => b - a) as [[string, number]];
    found.push({ worktree, pairs: left.filter((pair) => worktreesOf(pair).includes(worktree)) });
    left = left.filter((pair) => !worktreesOf(pair).includes(worktree));
  }
  return found;
}

/** Whose attributes may count: anybody's, unless one of them has changed some; then always ours. */
function worktreesOf({ ours, theirs }: Planned): string[] {
  const sides = [ours, theirs].filter((side): side is Taken => "worktree" in side);
  const own = sides.some(({ changed }) => changed.some(({ path }) => isAttributes(path)));
  return sides.slice(0, own ? 1 : 2).map(({ worktree }) => worktree);
}

type Answer<T> = { readonly value: T } | { readonly failure: Failure };

/** One that cannot be merged must not hide what the others are. */
async function predictBatch(
  predictor: Predictor,
  worktree: string,
  pairs: readonly Planned[],
): Promise<{ readonly pair: Planned; readonly answer: Answer<Prediction> }[]> {
  const order = (some: readonly Planned[]) => ({
    pairs: some.map(({ ours, theirs }) => ({ ours: ours.commit, theirs: theirs.commit })),
    worktree,
  });
  const all = await attempt(() => predictor.predict(order(pairs)));
  if ("value" in all) return pairs.map((pair, i) => ({ pair, answer: { value: all.value[i] as Prediction } }));
  if (pairs.length === 1) return pairs.map((pair) => ({ pair, answer: all }));
  const halves = [pairs.slice(0, pairs.length / 2), pairs.slice(pairs.length / 2)];
  return (await Promise.all(halves.map((half) => predictBatch(predictor, worktree, half)))).flat();
}

async function attempt<T>(work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof Failed) return { failure: error.failure };
    throw error;
  }
}
