import { checkKey, checkLane, isEnded } from "../../core/gates/check.ts";
import { COMBINATIONS_LANE } from "../../core/gates/combinations.ts";
import { findCheats } from "../../core/gates/find-cheats.ts";
import { type GatePlan, planHash } from "../../core/gates/gate-plan.ts";
import type { LandSettings } from "../../core/landing/land-settings.ts";
import { acceptedOf, type Candidate } from "../../core/landing/landing.ts";
import { planTrain } from "../../core/landing/plan-train.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import type { LandingPlan } from "../../core/landing/view.ts";
import { findingKey, inOneLine } from "../../core/messages/finding.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";
import { type Inspecting, inspectWork } from "../../engine/gates/inspect-work.ts";
import { type LandNeeds, lookAt } from "../../engine/landing/land-kind.ts";

export type Planning = Pick<
  EngineContext,
  "journal" | "history" | "predictor" | "target" | "clock" | "place" | "land"
> &
  Pick<LandNeeds, "branchOf"> &
  Pick<Inspecting, "gates" | "landed">;

type Asked = Pick<Candidate, "branch" | "agent" | "tip">;

/** In which order branches would land, what is in their way, and what it would cost. Nothing is run for it. */
export async function planLanding(
  context: Planning,
  { branch: target, commit: base }: { readonly branch: Branch; readonly commit: Commit },
  asked: readonly Asked[],
  { strategy, batch }: LandSettings,
  gates: GatePlan,
): Promise<LandingPlan> {
  const state = context.journal.state(LAND_LANE);
  const { needs, meets } = await lookAt(context, base, asked, state?.blocked ?? []);
  const names = asked.map(({ branch }) => branch);
  const { order, waiting, cycles } = planTrain(names, needs, meets, state?.resolved ?? {});
  const batches = strategy === "ff-only" ? order.length : Math.ceil(order.length / batch);
  const own = (await isTested(context, base, gates)) ? 0 : 1;
  return {
    strategy,
    target,
    base,
    order,
    waiting,
    cycles,
    predicted: [...meets, ...(await meetTarget(context, target, base, asked))],
    asks: await askedOf(context, base, asked, gates),
    redTogether: redTogether(context, asked),
    expectedRuns: gates.none || order.length === 0 ? 0 : own + batches,
    gates: gates.commands,
  };
}

async function isTested({ journal, history, place }: Planning, base: Commit, gates: GatePlan): Promise<boolean> {
  const key = checkKey(await history.treeOf(base), planHash(gates, place.env, place.tools));
  const check = journal.state(checkLane(key));
  return check !== null && isEnded(check) && check.failure === null;
}

/** Branches that conflict with the target as it is now. Without a prediction nothing is said of it. */
async function meetTarget(
  { predictor }: Pick<Planning, "predictor">,
  target: Branch,
  base: Commit,
  asked: readonly Asked[],
): Promise<(readonly [string, string])[]> {
  const pairs = asked.map(({ tip }) => ({ ours: base, theirs: tip }));
  const found = pairs.length === 0 ? [] : await predictor.predict({ pairs, worktree: null }).catch(() => []);
  return asked.flatMap(({ branch }, i) => (found[i]?.outcome === "conflict" ? [[branch, target] as const] : []));
}

/** What a person will be asked to accept. */
async function askedOf(
  context: Planning,
  base: Commit,
  asked: readonly Asked[],
  gates: GatePlan,
): Promise<LandingPlan["asks"]> {
  const state = context.journal.state(LAND_LANE);
  const found = await Promise.all(
    asked.map(async ({ branch, tip }) => {
      const accepted = state === null ? [] : acceptedOf(state, [branch]);
      const open = findCheats(await inspectWork(context, branch, base, tip, gates)).filter(
        (finding) => !accepted.includes(findingKey(finding)),
      );
      return { branch, because: open.map((finding) => inOneLine(finding).replace(/^\[[^\]]*\] /, "")).join("; ") };
    }),
  );
  return found.filter(({ because }) => because !== "");
}

/** Among those that are to land, work that was red together when it was last tested. */
const redTogether = ({ journal }: Pick<Planning, "journal">, asked: readonly Asked[]): string[][] =>
  (journal.state(COMBINATIONS_LANE)?.red ?? []).flatMap(({ agents }) => {
    const branches = agents.flatMap((agent) => asked.find((each) => each.agent === agent)?.branch ?? []);
    return branches.length > 1 ? [branches] : [];
  });
