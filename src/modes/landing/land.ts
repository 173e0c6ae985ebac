import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import type { LandingPlan } from "../../core/landing/view.ts";
import { requireGates } from "../../engine/gates/inspect-work.ts";
import { type Finding, findReady, findTarget, findWork } from "./find-work.ts";
import { type Planning, planLanding } from "./plan-landing.ts";

type Landing = Finding & Planning;

/** Puts branches into the queue, or says in which order they would land. */
export async function land(
  context: Landing,
  { branches, dryRun }: Extract<Action, { type: "land" }>,
): Promise<LandingPlan | { readonly branches: readonly string[] }> {
  const { journal, clock } = context;
  const settings = await context.land();
  if (settings.mode === "pr") throw new Failed({ kind: "land.pr" });
  const named = await Promise.all([...new Set(branches)].map((name) => findWork(context, name)));
  const target = await findTarget(
    context,
    named.map(({ branch }) => branch),
    true,
  );
  const under = journal.state(LAND_LANE) ?? null;
  if (under !== null && under.since !== null && under.target !== null && under.target !== target)
    throw new Failed({ kind: "land.busy", target: under.target, asked: target });
  const asked = branches.length === 0 ? await findReady(context, target) : named;
  if (asked.length === 0) throw new Failed({ kind: "land.nothing" });
  // Said before anything is queued: without gates, or with some that nobody has trusted, nothing can land.
  const base = await context.history.commitOf(`refs/heads/${target}`);
  if (base === null) throw new Failed({ kind: "ref.unknown", ref: target });
  const { plan: gates } = await requireGates(context, { branch: target, commit: base });
  if (dryRun) return planLanding(context, { branch: target, commit: base }, asked, settings, gates);
  await journal.transact((transaction) =>
    transaction.send(LAND_LANE, {
      type: "asked",
      target,
      strategy: settings.strategy,
      branches: asked,
      at: clock.now(),
    }),
  );
  return { branches: asked.map(({ branch }) => branch) };
}

/** What is under way does not land; what has landed stays. */
export async function cancelLanding({
  journal,
}: Pick<Landing, "journal">): Promise<{ readonly cancelled: readonly string[] }> {
  const state = journal.state(LAND_LANE);
  const under = state?.queue.filter(({ state: is }) => is === "queued" || is === "staged") ?? [];
  const cancelled = under.map(({ branch }) => branch);
  await journal.transact((transaction) => {
    for (const branch of cancelled)
      transaction.send(LAND_LANE, { type: "ended", branch, as: "skipped", because: "it was cancelled", findings: [] });
  });
  return { cancelled };
}
