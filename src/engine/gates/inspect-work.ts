import { Failed } from "../../core/failure/failed.ts";
import { ChangedFiles, MOST_NAMED } from "../../core/gates/changed-files.ts";
import { findCollisions } from "../../core/gates/find-refusals.ts";
import { findUndone } from "../../core/gates/find-undone.ts";
import { inputsAmong } from "../../core/gates/gate-inputs.ts";
import { type GatePlan, planHash } from "../../core/gates/gate-plan.ts";
import type { GateSettings } from "../../core/gates/gate-settings.ts";
import { scriptsOf } from "../../core/gates/guess-gates.ts";
import type { Inspection } from "../../core/gates/inspection.ts";
import { mayHoldTests } from "../../core/gates/measure-tests.ts";
import { runFiles } from "../../core/gates/run-files.ts";
import type { VerificationEffects } from "../../core/gates/verification-effects.ts";
import type { EffectOf, OutcomeOf } from "../../core/record/effects.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { History } from "../../ports/history.ts";
import type { Place } from "../loop/place.ts";

export interface Inspecting {
  readonly history: History;
  readonly place: Pick<Place, "env" | "tools">;
  /** What gates run, as the config of this commit says. */
  gates(base: { readonly branch: Branch; readonly commit: Commit }): Promise<GateSettings>;
  /** What has landed lately, the newest last. */
  landed(): readonly LandedBranch[];
}

export interface LandedBranch {
  readonly branch: string;
  /** Where the branch was. */
  readonly tip: Commit;
  /** Where the target was, and where it was put. */
  readonly before: Commit;
  readonly to: Commit;
}

/** So many landings are compared with a branch: later ones are what it may not know of. */
const MOST_LANDINGS = 30;

/** What a branch changes, and by what it is judged. Rejects with `gates.untrusted` or `gates.none`. */
export async function performInspect(
  context: Inspecting,
  { ref, base: branch, baseCommit, commit }: EffectOf<VerificationEffects, "work.inspect">,
): Promise<OutcomeOf<VerificationEffects, "work.inspect">> {
  const { place } = context;
  const { plan, notes } = await requireGates(context, { branch, commit: baseCommit });
  const inspection = await inspectWork(context, ref, baseCommit, commit, plan);
  return { ok: true, inspection, plan, planHash: planHash(plan, place.env, place.tools), notes };
}

export async function requireGates(
  { gates }: Pick<Inspecting, "gates">,
  base: { readonly branch: Branch; readonly commit: Commit },
): Promise<GateSettings> {
  const settings = await gates(base);
  const { plan, untrusted, from } = settings;
  if (untrusted.length > 0) throw new Failed({ kind: "gates.untrusted", keys: untrusted });
  if (plan.commands.length === 0 && !plan.none) throw new Failed({ kind: "gates.none", from });
  return settings;
}

export async function inspectWork(
  context: Inspecting,
  ref: string,
  base: Commit,
  commit: Commit,
  plan: GatePlan,
): Promise<Inspection> {
  const { history } = context;
  const since = await beginningOf(context, ref, base, commit);
  const [tree, baseTree, changes] = await Promise.all([
    history.treeOf(commit),
    history.treeOf(base),
    history.changes(since, commit),
  ]);
  const touched = [...new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])))];
  const run = new Set(await runByGates(history, since, plan));
  const runs = touched.filter((path) => run.has(path));
  const tests = touched.filter((path) => mayHoldTests(path) || run.has(path));
  const inputs = inputsAmong(touched, plan.inputs);
  const read = [...new Set([...inputs, ...tests])];
  const [old, now] = await Promise.all([history.texts(since, read), history.texts(commit, read)]);
  const files = new ChangedFiles(changes, old, now);
  return {
    base,
    since,
    commit,
    tree,
    baseTree,
    changes: changes
      .slice(0, MOST_NAMED)
      .map(({ path, how, from }) => ({ path, how, ...(from !== undefined && { from }) })),
    more: Math.max(0, changes.length - MOST_NAMED),
    inputs: files.inputs(inputs, runs),
    tests: files.tests(tests),
    undone: (await undoneBy(context, ref, since, commit, touched.slice(0, MOST_NAMED))).map((each) => ({
      ...each,
      about: files.about(each.path),
    })),
    collisions: findCollisions(changes, await history.paths(commit)),
  };
}

/** Files that the gates run by name, as the base says: what is in them decides as much as the command does. */
async function runByGates(history: History, base: Commit, { commands, setUp }: GatePlan): Promise<string[]> {
  const manifest = (await history.texts(base, ["package.json"])).get("package.json") ?? "{}";
  return runFiles([...commands.map(({ command }) => command), setUp ?? ""], scriptsOf(manifest));
}

/** A branch that has landed and goes on begins where it landed. */
async function beginningOf(
  { history, landed }: Pick<Inspecting, "history" | "landed">,
  ref: string,
  base: Commit,
  commit: Commit,
): Promise<Commit> {
  const last = landed().findLast(({ branch }) => branch === ref);
  if (last !== undefined && (await history.isContained(last.tip, commit))) return last.tip;
  return (await history.mergeBase(base, commit)) ?? base;
}

/** What has landed after the branch was begun is in its history only if it was rebased: then it can take it away. */
async function undoneBy(
  { history, landed }: Pick<Inspecting, "history" | "landed">,
  ref: string,
  since: Commit,
  commit: Commit,
  paths: readonly string[],
): Promise<ReturnType<typeof findUndone>> {
  const recent = landed()
    .filter(({ branch }) => branch !== ref)
    .slice(-MOST_LANDINGS);
  if (recent.length === 0 || paths.length === 0) return [];
  const own = await history.lines(since, commit, paths);
  const theirs = await Promise.all(
    recent.map(async ({ branch, before, to }) => ({ branch, files: await history.lines(before, to, paths) })),
  );
  return findUndone(own, theirs);
}
