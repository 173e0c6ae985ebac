import { Failed } from "../../core/failure/failed.ts";
import { decideLanding } from "../../core/landing/decide-landing.ts";
import { findNeeds } from "../../core/landing/find-needs.ts";
import type { LandSettings } from "../../core/landing/land-settings.ts";
import { acceptedOf, type LandingEvent, type Landings } from "../../core/landing/landing.ts";
import type { LandingFacts, Ready } from "../../core/landing/landing-draft.ts";
import type {
  LandingEffect,
  LandingEffects,
  Moved,
  Replayed,
  TestedCommit,
} from "../../core/landing/landing-effects.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import type { ConflictedFile } from "../../core/landing/texts.ts";
import type { OutcomeOf } from "../../core/record/effects.ts";
import type { AgentId, Branch, Commit } from "../../core/text/ids.ts";
import type { History } from "../../ports/history.ts";
import type { Predictor } from "../../ports/predictor.ts";
import type { Replay, Target } from "../../ports/target.ts";
import type { Recording } from "../journal/recording.ts";
import type { LaneKind } from "../loop/lane-kind.ts";

/** Where a landing has its trees tested: by whoever runs gates. */
export interface TreeTests {
  /** Has a commit tested; `cached` where it is known already. */
  request(order: LandingEffect<"train.test">): Promise<{ readonly check: string; readonly cached: boolean }>;
  tested(check: string, base: string | null, accepted: readonly string[]): TestedCommit | null;
  /** All others are not waited for any more. */
  keepOnly(checks: readonly string[]): Promise<void>;
  /** The command that makes this file again, as the base's config says; null where there is none. */
  regenerators(target: Branch, base: Commit): Promise<(path: string) => string | null>;
  /**
   * Makes files again on top of a commit; in words why not. A file is null where the command left none. Null where the
   * supervisor leaves meanwhile.
   */
  regenerate(order: RegenerateOrder): Promise<ReadonlyMap<string, string | null> | { readonly failed: string } | null>;
  /** What in a branch only a person can accept, and has not. */
  openFindings(order: LandingEffect<"branch.inspect">): Promise<LandingEffects["branch.inspect"]["gives"]>;
}

export interface RegenerateOrder {
  readonly commit: Commit;
  readonly base: { readonly branch: Branch; readonly commit: Commit };
  readonly files: readonly string[];
}

export interface LandNeeds extends Recording {
  readonly history: History;
  readonly target: Target;
  readonly predictor: Pick<Predictor, "predict">;
  readonly tests: TreeTests;
  land(): Promise<LandSettings & { readonly jobs: number }>;
  /** What could land now although nobody has asked for it. */
  ready(): Promise<Ready | null>;
  /** The branch of an agent; null for nobody's. */
  branchOf(agent: AgentId): Branch | null;
}

interface Seen {
  readonly looked: Branch | null;
  readonly target: Commit | null;
  readonly settings: Awaited<ReturnType<LandNeeds["land"]>>;
  readonly ready: Ready | null;
}

type LandKind = LaneKind<Landings, LandingEvent, LandingEffects, Seen, LandingFacts>;

/** More pairs than these are not merged to find an order: each costs a few milliseconds. */
const MOST_PAIRS = 500;

/** The lane `land`: the queue of what is to land. */
export const landKind = (needs: LandNeeds): LandKind => ({
  lane: (key) => (key === LAND_LANE.key ? LAND_LANE : null),
  async observe({ target }) {
    const [commit, settings, ready] = await Promise.all([
      target === null ? null : needs.history.commitOf(`refs/heads/${target}`),
      needs.land(),
      needs.ready(),
    ]);
    return { looked: target, target: commit, settings, ready };
  },
  facts: (state, { looked, target, settings, ready }, settled) => ({
    now: needs.clock.now(),
    view: needs.journal,
    settled,
    looked,
    target,
    tested: testedIn(needs, state),
    batch: settings.batch,
    jobs: settings.jobs,
    retry: settings.retry,
    ready,
  }),
  decide: decideLanding,
  // A train that was dropped meanwhile needs nothing of what was asked for it.
  stillWanted: (_, state) => state !== null && state.since !== null,
  performers: {
    "land.look": (effect) => performLook(needs, effect),
    "branch.inspect": async (effect) => ({ ok: true, ...(await needs.tests.openFindings(effect)) }),
    "branch.replay": (effect) => performReplay(needs, effect),
    "train.test": async (effect) => ({ ok: true, ...(await needs.tests.request(effect)) }),
    "target.move": (effect) => performMove(needs, effect),
  },
  stored(before) {
    const { train = null, since = null } = needs.journal.state(LAND_LANE) ?? {};
    // What is not done here is done at the next landing.
    void needs.tests.keepOnly(Object.values(train?.checks ?? {})).catch(() => undefined);
    if (before.since !== null && since === null) void needs.target.release([]).catch(() => undefined);
  },
});

const testedIn =
  ({ tests, journal }: Pick<LandNeeds, "tests" | "journal">, state: Landings) =>
  (check: string): TestedCommit | null => {
    const landings = journal.state(LAND_LANE) ?? state;
    const { train } = landings;
    const accepted = acceptedOf(landings, train?.staged.map(({ branch }) => branch) ?? []);
    const base = train?.checks[train.base] ?? null;
    return tests.tested(check, base === check ? null : base, accepted);
  };

async function performLook(
  needs: LandNeeds,
  { target, branches, blocked }: LandingEffect<"land.look">,
): Promise<OutcomeOf<LandingEffects, "land.look">> {
  await needs.target.release([]);
  const base = await followUpstream(needs, target);
  return { ok: true, base, ...(await lookAt(needs, base, branches, blocked)) };
}

/** Who needs whom, and who would conflict with whom. */
export async function lookAt(
  needs: Pick<LandNeeds, "history" | "predictor" | "branchOf">,
  base: Commit,
  branches: LandingEffect<"land.look">["branches"],
  blocked: LandingEffect<"land.look">["blocked"],
): Promise<Pick<LandingEffects["land.look"]["gives"], "needs" | "meets">> {
  const { history } = needs;
  const parents = await history.graph(
    branches.map(({ tip }) => tip),
    base,
  );
  const unlanded = new Map<AgentId, string>();
  for (const { from } of blocked) {
    const branch = needs.branchOf(from);
    const tip = branch === null ? null : await history.commitOf(`refs/heads/${branch}`);
    if (branch !== null && tip !== null && !(await history.isContained(tip, base))) unlanded.set(from, branch);
  }
  const found = findNeeds(branches, parents, blocked, (agent) => unlanded.get(agent) ?? null);
  return { needs: found, meets: await predictedPairs(needs, branches) };
}

/** What others have pushed is taken first: main goes on from there. */
async function followUpstream(needs: LandNeeds, target: Branch): Promise<Commit> {
  const { history } = needs;
  const present = await history.commitOf(`refs/heads/${target}`);
  if (present === null) throw new Failed({ kind: "ref.unknown", ref: target });
  const { push } = await needs.land();
  if (!push) return present;
  const upstream = await needs.target.upstream(target);
  if (upstream === null) return present;
  if (upstream.unreachable !== null)
    throw new Failed({ kind: "land.unreachable", upstream: upstream.name, detail: upstream.unreachable });
  const { commit } = upstream;
  if (commit === null || commit === present || (await history.isContained(commit, present))) return present;
  if (!(await history.isContained(present, commit)))
    throw new Failed({ kind: "land.diverged", target, upstream: upstream.name });
  const tree = await history.treeOf(commit);
  const message = `banksman: fast-forward to ${upstream.name}`;
  const moved = await needs.target.move({ branch: target, from: present, to: commit, tree, message });
  if (moved.how === "refused")
    throw new Failed({ kind: "land.unreachable", upstream: upstream.name, detail: moved.because });
  return (await history.commitOf(`refs/heads/${target}`)) ?? present;
}

async function predictedPairs(
  { predictor }: Pick<LandNeeds, "predictor">,
  branches: LandingEffect<"land.look">["branches"],
): Promise<(readonly [string, string])[]> {
  const pairs = branches.flatMap((one, i) => branches.slice(i + 1).map((other) => [one, other] as const));
  if (pairs.length === 0 || pairs.length > MOST_PAIRS) return [];
  // Without predictions the order is only less clever.
  const predictions = await predictor
    .predict({ pairs: pairs.map(([one, other]) => ({ ours: one.tip, theirs: other.tip })), worktree: null })
    .catch(() => []);
  return pairs.flatMap(([one, other], i) =>
    predictions[i]?.outcome === "conflict" ? [[one.branch, other.branch] as const] : [],
  );
}

async function performReplay(
  { history, target, tests }: Pick<LandNeeds, "history" | "target" | "tests">,
  effect: LandingEffect<"branch.replay">,
): Promise<OutcomeOf<LandingEffects, "branch.replay">> {
  const { branch, tip, onto, base, date, strategy } = effect;
  if (strategy === "ff-only" && !(await history.isContained(onto, tip)))
    return { ok: true, ...((await history.isContained(tip, onto)) ? NOTHING : DIVERGED) };
  const since = effect.since !== null && (await history.isContained(effect.since, tip)) ? effect.since : null;
  const commandOf = await tests.regenerators(effect.target, base);
  const order = { tip, onto, since, date, name: branch, generated: (path: string) => commandOf(path) !== null };
  const made = await target.replay(order);
  if (made.how === "nothing") return { ok: true, ...NOTHING };
  if (made.how === "made") return regenerated({ target, tests }, effect, made, commandOf);
  const alone = onto === base ? made : await target.replay({ ...order, onto: base });
  const files = made.files.map((file) => withCommand(file, commandOf));
  return { ok: true, how: "conflict", files, withTarget: alone.how === "conflict" };
}

/** What was in conflict and is generated is made again, on the tree that is to land. */
async function regenerated(
  { target, tests }: Pick<LandNeeds, "target" | "tests">,
  { branch, target: onto, base, date }: LandingEffect<"branch.replay">,
  made: Extract<Replay, { how: "made" }>,
  commandOf: (path: string) => string | null,
): Promise<OutcomeOf<LandingEffects, "branch.replay">> {
  const { commit, tree, files, kept = [] } = made;
  if (kept.length === 0) return { ok: true, how: "staged", to: commit, tree, files };
  const texts = await tests.regenerate({ commit, base: { branch: onto, commit: base }, files: kept });
  if (texts === null) return { ok: true, skipped: true };
  if ("failed" in texts) {
    const conflicted = kept.map((path) => withCommand({ path, line: null, lines: [texts.failed] }, commandOf));
    return { ok: true, how: "conflict", files: conflicted, withTarget: true };
  }
  const message = `Make ${kept.join(", ")} again for ${branch}`;
  const again = await target.rewrite({ onto: commit, texts, date, message });
  if (again.how !== "made")
    return files.length === 0 ? { ok: true, ...NOTHING } : { ok: true, how: "staged", to: commit, tree, files };
  return {
    ok: true,
    how: "staged",
    to: again.commit,
    tree: again.tree,
    files: [...new Set([...files, ...again.files])],
  };
}

const withCommand = (file: ConflictedFile, commandOf: (path: string) => string | null): ConflictedFile => {
  const command = commandOf(file.path);
  return command === null ? file : { ...file, command };
};

const NOTHING: Replayed = { how: "nothing" };
const DIVERGED: Replayed = { how: "diverged" };

/** Where it is pushed, the push is what decides: what it refuses does not land here either. */
async function performMove(
  needs: Pick<LandNeeds, "target" | "land" | "journal">,
  { target, from, to, tree, count }: LandingEffect<"target.move">,
): Promise<{ readonly ok: true } & Moved> {
  const staged = needs.journal.state(LAND_LANE)?.train?.staged.slice(0, count) ?? [];
  const message = `banksman: land ${staged.map(({ branch }) => branch).join(", ")}`;
  const { push } = await needs.land();
  if (push && !(await needs.target.push(target, to))) return { ok: true, how: "moved-by-another" };
  return { ok: true, ...(await needs.target.move({ branch: target, from, to, tree, message })) };
}
