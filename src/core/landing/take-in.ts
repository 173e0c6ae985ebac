import { explain } from "../failure/explain.ts";
import type { Failure } from "../failure/failure.ts";
import { inOneLine } from "../messages/finding.ts";
import { followDone, type WhenDone } from "../record/effects.ts";
import { takenBack, undoOf } from "./landing.ts";
import { fateOf, headOf, isOver, type LandingDraft } from "./landing-draft.ts";
import { isOwn, type LandingEffect, type LandingEffects, type Moved, type Replayed } from "./landing-effects.ts";
import { cycleKey, type Needs, planTrain } from "./plan-train.ts";
import { conflictFinding, rebaseText } from "./texts.ts";

/** How effects went becomes events. Answers with what went wrong in a way that stops everything, if anything did. */
export function takeIn(draft: LandingDraft): Failure | null {
  let failed: Failure | null = null;
  for (const settled of draft.facts.settled) {
    const { effect, outcome } = settled;
    if (outcome.ok) followDone(WHEN_DONE, draft, settled);
    else if ("branch" in effect && isOwn(outcome.failure)) endWith(draft, effect.branch, outcome.failure);
    else failed = outcome.failure;
  }
  return failed;
}

/** Nothing more is known of this branch, or of those that land only together with it; the others go on. */
function endWith(draft: LandingDraft, branch: string, failure: Failure): void {
  const { message, hint } = explain(failure);
  for (const each of draft.groupOf(branch)) draft.end(each, "waiting", `${message} ${hint}`);
}

const WHEN_DONE: WhenDone<LandingEffects, LandingDraft> = {
  "land.look": planned,
  "branch.inspect": (draft, { branch }, { open, accepted, failed = [] }) => {
    const [first] = failed;
    if (first !== undefined) draft.end(branch, "bounced", inOneLine(first).replace(/^\[[^\]]*\] /, ""), failed);
    else if (open.length === 0) draft.send({ type: "inspected", branch, accepted });
    else draft.waitForPerson(branch, open);
  },
  "branch.replay": replayed,
  "train.test": (draft, { commit }, { check, cached }) => draft.send({ type: "testing", commit, check, cached }),
  "target.move": moved,
};

/** The order; and one question for each cycle that nobody has resolved. */
function planned(
  draft: LandingDraft,
  _: LandingEffect<"land.look">,
  { base, needs, meets }: LandingEffects["land.look"]["gives"],
): void {
  if (base !== draft.facts.target) return;
  dropUnfounded(draft, needs);
  const branches = draft.queued().map(({ branch }) => branch);
  const { order, waiting, cycles, groups } = planTrain(branches, needs, meets, draft.state.resolved);
  draft.send({ type: "planned", base, order, groups, at: draft.facts.now });
  for (const { branch, because } of waiting) draft.end(branch, "waiting", because);
  for (const cycle of cycles) if (draft.state.resolved[cycleKey(cycle)] !== "skip") draft.askCycle(cycle);
}

/** What needs a branch that has not landed and will not, cannot land either. */
function dropUnfounded(draft: LandingDraft, needs: Needs): void {
  for (let ended = true; ended; ) {
    ended = false;
    for (const { branch } of draft.queued()) {
      const missing = (needs[branch] ?? []).find((need) => need !== branch && !isComing(draft, need));
      if (missing === undefined) continue;
      draft.end(branch, "skipped", `needs ${missing}, which ${fateOf(draft.candidate(missing))}`);
      ended = true;
    }
  }
}

const isComing = (draft: LandingDraft, branch: string): boolean => {
  const candidate = draft.candidate(branch);
  return candidate !== null && (!isOver(candidate) || candidate.state === "landed");
};

function replayed(draft: LandingDraft, effect: LandingEffect<"branch.replay">, given: Replayed): void {
  const { train } = draft.state;
  const { branch, tip, target } = effect;
  if (train === null || headOf(train) !== effect.onto) return;
  if (given.how === "staged") {
    const { to, tree, files } = given;
    draft.send({ type: "staged", staged: { branch, tip, to, tree, files } });
  } else if (given.how === "nothing") endWithNothing(draft, branch);
  else if (given.how === "diverged")
    draft.end(branch, "skipped", `it does not contain ${target} as it is now`, [rebaseText(target)]);
  else {
    const paths = new Set(given.files.map(({ path }) => path));
    const met = train.staged.filter(({ files }) => files.some((file) => paths.has(file))).map((each) => each.branch);
    const grouped = train.groups.some((group) => group.includes(branch));
    // What it conflicts with may bounce yet: then it can land.
    if (!given.withTarget && !grouped) return draft.send({ type: "deferred", branch, met });
    const known = (draft.candidate(branch)?.met ?? []).filter((each) => draft.candidate(each)?.state === "landed");
    const names = given.withTarget ? known : met;
    const because = `it conflicts with ${[...names, target][0]} in ${[...paths].slice(0, 3).join(", ")}`;
    draft.end(branch, "bounced", because, [conflictFinding(target, given.files, names)]);
  }
}

/** What was taken back is in the target's history all the same, so git would not put it there again. */
function endWithNothing(draft: LandingDraft, branch: string): void {
  const undone = takenBack(draft.state, branch);
  if (undone === null) return draft.end(branch, "landed", "everything in it is there already");
  const commit = undone.to.slice(0, 12);
  const because = `${commit} has taken it back, and nothing is new in it. To have it again, revert ${commit} on a branch, and land that`;
  draft.end(branch, "skipped", because);
}

function moved(draft: LandingDraft, effect: LandingEffect<"target.move">, given: Moved): void {
  const { train } = draft.state;
  if (train === null || train.base !== effect.from) return;
  if (given.how === "moved-by-another") return draft.send({ type: "replanned" });
  if (given.how === "refused") {
    draft.send({ type: "replanned" });
    for (const { branch } of draft.underWay()) draft.end(branch, "waiting", given.because);
    return;
  }
  const done = train.staged.slice(0, effect.count);
  const agents = new Map(done.map(({ branch }) => [branch, draft.candidate(branch)?.agent ?? null]));
  draft.send({ type: "landed", count: effect.count, tree: effect.tree, at: draft.facts.now });
  for (const { branch, to } of done) {
    draft.tellLanded(branch, to, agents.get(branch) ?? null, effect);
    const undone = draft.state.landed.findLast((each) => undoOf(each.branch) === branch)?.agent ?? null;
    if (undone !== null) draft.markTakenBack(undone, to, effect.target);
  }
}
