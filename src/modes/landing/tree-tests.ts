import { explain } from "../../core/failure/explain.ts";
import {
  type Check,
  type CheckKey,
  checkKey,
  checkLane,
  isEnded,
  laneCheck,
  verdictOf,
} from "../../core/gates/check.ts";
import { findCheats } from "../../core/gates/find-cheats.ts";
import { findRefusals } from "../../core/gates/find-refusals.ts";
import { type GatePlan, needsReview, planHash, regeneratorOf } from "../../core/gates/gate-plan.ts";
import { type Review, reviewFindings } from "../../core/gates/governance/review.ts";
import type { Inspection } from "../../core/gates/inspection.ts";
import { judge } from "../../core/gates/judge.ts";
import { laneVerification, type Verification, verificationLane } from "../../core/gates/verification.ts";
import { isOwn, type TestedCommit } from "../../core/landing/landing-effects.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { type Finding, findingKey, isForPerson } from "../../core/messages/finding.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";
import { type Inspecting, inspectWork, requireGates } from "../../engine/gates/inspect-work.ts";
import { type Regenerating, regenerateFiles } from "../../engine/gates/regenerate-files.ts";
import { type Reviewing, reviewWork } from "../../engine/gates/review-work.ts";
import type { TreeTests } from "../../engine/landing/land-kind.ts";

type Needs = Inspecting & Reviewing & Regenerating & Pick<EngineContext, "journal" | "clock" | "place" | "pool">;

/** A landing's trees go before what is only looked at. */
const RANK = 1;
/** What checks came to is remembered for so many trees. */
const MOST_CHECKS = 300;

/** Landing's trees are tested by the gates: this is where the two meet. */
export const treeTests = (needs: Needs): TreeTests => ({
  async request({ commit, target, base, again }) {
    const onto = { branch: target, commit: base };
    const { plan } = await requireGates(needs, onto);
    const tree = await needs.history.treeOf(commit);
    const key = checkKey(tree, planHash(plan, needs.place.env, needs.place.tools));
    const lane = checkLane(key);
    const known = needs.journal.state(lane);
    const cached = known !== null && isEnded(known) && known.failure === null;
    const request = { commit, tree, base: onto, plan, gates: plan.commands.map(({ gate }) => gate) };
    const wish = { lane: LAND_LANE.key, all: false, rank: RANK };
    const at = needs.clock.now();
    await needs.journal.transact((transaction) => {
      for (const old of tooOld(needs, key)) transaction.send(checkLane(old), { type: "forgotten" });
      transaction.send(lane, { type: "requested", request, wish, at });
      // Asked for once more after a crash, it is not run a third time.
      if (again && (known?.earlier.length ?? 0) === 0) transaction.send(lane, { type: "again", wish, at });
    });
    return { check: key, cached: cached || again };
  },
  tested(check, base, accepted) {
    const state = needs.journal.state(checkLane(check as CheckKey));
    const onBase = base === null ? null : needs.journal.state(checkLane(base as CheckKey));
    return state === null ? null : testedBy(state, onBase, accepted);
  },
  async keepOnly(checks) {
    const { journal } = needs;
    const lane = LAND_LANE.key;
    const left = [...journal.laneKeys()].flatMap((key) => {
      const check = laneCheck(key);
      const state = check === null ? null : journal.state(checkLane(check));
      const wanted = state?.wantedBy.some((wish) => wish.lane === lane) === true;
      return check !== null && wanted && !checks.includes(check) ? [check] : [];
    });
    if (left.length === 0) return;
    await journal.transact((transaction) => {
      for (const check of left) transaction.send(checkLane(check), { type: "let-go", lane });
    });
  },
  async regenerators(branch, commit) {
    const { plan } = await requireGates(needs, { branch, commit });
    return (path) => regeneratorOf(plan, path);
  },
  async regenerate({ commit, base, files }) {
    const { plan } = await requireGates(needs, base);
    return regenerateFiles(needs, { commit, base, files, plan });
  },
  async openFindings({ branch, tip, target, base, accepted }) {
    const { plan } = await requireGates(needs, { branch: target, commit: base });
    // What is there already changes nothing: there is nothing to accept or to review.
    const last = needs.landed().findLast((each) => each.branch === branch);
    if (last?.tip === tip || (await needs.history.isContained(tip, base))) return { open: [], accepted: false };
    const inspection = await inspectWork(needs, branch, base, tip, plan);
    const settled = new Set([...accepted, ...acceptedFor(needs, branch)]);
    const review = needsReview(plan) ? await reviewed(needs, branch, tip, inspection, plan) : null;
    const { failed, open: unread } = review === null ? NOTHING : reviewFindings(review);
    const found = [...findCheats(inspection), ...seenInRuns(needs, branch, tip), ...unread];
    const open = found.filter((finding) => !settled.has(findingKey(finding)));
    const refused = [...findRefusals(inspection), ...failed];
    return { open, accepted: found.length > 0 && open.length === 0, failed: refused };
  },
});

const NOTHING = { failed: [], open: [] } as const;

/** As it was reviewed when it was verified; else now. The gates have to pass in any case before it lands. */
async function reviewed(
  needs: Needs,
  branch: string,
  tip: Commit,
  inspection: Inspection,
  plan: GatePlan,
): Promise<Review> {
  const known = verificationsOf(needs, branch).find(
    ({ judged, review }) => review !== null && judged?.commit === tip && judged.base === inspection.base,
  );
  const passed = plan.commands.map(({ gate }) => gate);
  return known?.review ?? reviewWork(needs, { ref: branch, inspection, plan, passed, failed: [] });
}

function testedBy(check: Check, base: Check | null, accepted: readonly string[]): TestedCommit {
  if (check.failure !== null) {
    const { message, hint } = explain(check.failure);
    return { is: "waiting", findings: [], because: `${message} ${hint}`, ...(isOwn(check.failure) && { own: true }) };
  }
  if (!isEnded(check)) return { is: "running", findings: [], because: null };
  if (check.gates.length === 0)
    return { is: verdictOf(check) === "skipped" ? "green" : "waiting", findings: [], because: null };
  const judged = judge({ results: check.results, base: base?.results ?? [], inspection: null, accepted, refused: [] });
  if (judged.verdict === "pass") return { is: "green", findings: [], because: null };
  // Fewer tests than the base has: not red, but nothing that may land by itself.
  if (judged.verdict === "waiting" && judged.open.length === 0)
    return base === null
      ? { is: "red", findings: judged.findings, because: null }
      : { is: "waiting", findings: judged.findings, because: judged.because };
  return { is: "red", findings: judged.verdict === "waiting" ? judged.open : judged.findings, because: null };
}

/** What its own run showed, as that fewer tests ran. In a train the tests that another branch adds would hide it. */
const seenInRuns = (needs: Pick<Needs, "journal">, branch: string, tip: Commit): Finding[] =>
  verificationsOf(needs, branch)
    .flatMap(({ judged }) => (judged?.commit === tip ? judged.findings : []))
    .filter((finding) => isForPerson(finding) && finding.gate !== undefined);

/** What a person has accepted of a branch when it was verified. */
const acceptedFor = (needs: Pick<Needs, "journal">, branch: string): readonly string[] =>
  verificationsOf(needs, branch).flatMap(({ accepted }) => accepted);

/** Of an agent its ref is whole, of a person's branch it is what was typed. */
const verificationsOf = ({ journal }: Pick<Needs, "journal">, branch: string): Verification[] =>
  [...journal.laneKeys()].flatMap((key) => {
    const name = laneVerification(key);
    const state = name === null ? null : journal.state(verificationLane(name));
    return state !== null && (state.ref === branch || state.ref === `refs/heads/${branch}`) ? [state] : [];
  });

/** Those that ended first, that nobody waits for, beyond what is remembered. */
function tooOld({ journal }: Pick<Needs, "journal">, but: CheckKey): CheckKey[] {
  const all = [...journal.laneKeys()].flatMap((key) => {
    const check = laneCheck(key);
    const state = check === null ? null : journal.state(checkLane(check));
    return state === null ? [] : [state];
  });
  const idle = all.filter(({ key, wantedBy, endedAt }) => key !== but && wantedBy.length === 0 && endedAt !== null);
  const sorted = idle.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0));
  return sorted.slice(0, Math.max(0, all.length - MOST_CHECKS)).map(({ key }) => key);
}
