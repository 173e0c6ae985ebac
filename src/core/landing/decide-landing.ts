import { explain } from "../failure/explain.ts";
import type { Failure } from "../failure/failure.ts";
import { type Finding, inOneLine, isForPerson } from "../messages/finding.ts";
import type { Step } from "../record/step.ts";
import type { Branch, Commit } from "../text/ids.ts";
import {
  acceptedOf,
  type Candidate,
  type LandingEvent,
  type Landings,
  type Planned,
  type Staged,
  type Train,
} from "./landing.ts";
import { fateOf, headOf, isOver, LandingDraft, type LandingFacts } from "./landing-draft.ts";
import type { LandingEffect, TestedCommit } from "./landing-effects.ts";
import { nextTest, type Tested } from "./next-test.ts";
import { takeIn } from "./take-in.ts";
import { metBy } from "./texts.ts";

/** Each round ends a branch, or drops a train: more would be going round in circles. */
const MOST_ROUNDS = 2_000;

/** One turn of the landing: take in what happened, then ask for the next thing. The target moves only to a tested tree. */
export function decideLanding(before: Landings, facts: LandingFacts): Step<LandingEvent, LandingEffect> {
  const draft = new LandingDraft(before, facts);
  draft.answers();
  const failure = takeIn(draft);
  draft.takeReady();
  const unseen = draft.state.since !== null && draft.state.target !== facts.looked;
  const effects = unseen ? [] : next(draft, failure);
  const wakeAt = unseen ? facts.now : null;
  return { events: draft.events, changes: draft.changes, says: draft.says, effects, wakeAt };
}

function next(draft: LandingDraft, failure: Failure | null): LandingEffect[] {
  const { since, target } = draft.state;
  if (since === null || target === null) return [];
  if (failure !== null) giveUp(draft, failure);
  else if (draft.facts.target === null) giveUp(draft, { kind: "ref.unknown", ref: target });
  // Somebody else has moved it: everything is put together again, on what is there now.
  if (draft.state.train !== null && draft.state.train.base !== draft.facts.target) draft.send({ type: "replanned" });
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    const effects = advance(draft, target);
    if (effects !== null) return effects;
  }
  return [];
}

/** Nobody's fault: everything that is under way waits, and why is said. */
function hold(draft: LandingDraft, because: string): null {
  draft.send({ type: "replanned" });
  for (const { branch } of draft.underWay()) draft.end(branch, "waiting", because);
  return null;
}

function giveUp(draft: LandingDraft, failure: Failure): void {
  const { message, hint } = explain(failure);
  hold(draft, `${message} ${hint}`);
}

/** What is asked for now; null where something was decided instead, and it has to be looked at again. */
function advance(draft: LandingDraft, target: Branch): LandingEffect[] | null {
  if (draft.underWay().length === 0) {
    draft.finish();
    return [];
  }
  if (draft.state.train === null) {
    const branches = draft.queued().map(({ branch, agent, tip }) => ({ branch, agent, tip }));
    return [{ type: "land.look", target, branches, blocked: draft.state.blocked }];
  }
  if (dropDependents(draft, draft.state.train)) return null;
  const { train } = draft.state;
  const uninspected = train.order.filter(({ branch }) => draft.candidate(branch)?.inspected === false);
  if (uninspected.length > 0) return uninspected.map((each) => inspect(draft, train, each, target));
  if (train.order.length === 0 && train.staged.length === 0) {
    draft.send({ type: "replanned" });
    return draft.underWay().length === 0 ? null : hold(draft, "nothing of it could be put together");
  }
  const onBase = testOf(draft, train, train.base, target);
  if (onBase !== "green" && onBase !== "red") return onBase;
  return stage(draft, train, target, onBase === "red");
}

/** What needs a branch that will not land does not land either. True where there was any. */
function dropDependents(draft: LandingDraft, { order }: Train): boolean {
  for (const { branch, needs } of order) {
    const gone = needs.map((each) => draft.candidate(each)).find((each) => each !== null && isLost(each));
    if (gone === undefined || gone === null) continue;
    draft.end(branch, "skipped", `needs ${gone.branch}, which ${fateOf(gone)}`);
    return true;
  }
  return false;
}

const isLost = (candidate: Candidate): boolean => isOver(candidate) && candidate.state !== "landed";

function inspect(draft: LandingDraft, { base }: Train, { branch }: Planned, target: Branch): LandingEffect {
  const tip = draft.candidate(branch)?.tip ?? base;
  return { type: "branch.inspect", branch, tip, target, base, accepted: acceptedOf(draft.state, [branch]) };
}

/** Takes branches in until the train is full, then tests and lands it. On a red base each is tried by itself. */
function stage(draft: LandingDraft, train: Train, target: Branch, redBase: boolean): LandingEffect[] | null {
  const [first] = train.order;
  const alone = redBase || draft.state.strategy === "ff-only" || landsAlone(draft, train);
  const most = alone ? 1 : draft.facts.batch;
  const room = train.staged.length < most || (first !== undefined && goesWithLast(train, first));
  if (!train.closed && first !== undefined && room) return [replay(draft, train, first, target)];
  if (!train.closed) draft.send({ type: "closed" });
  return run(draft, draft.state.train ?? train, target, redBase);
}

/** That fewer tests run is accepted of one branch: among others it would be accepted of all of them. */
function landsAlone(draft: LandingDraft, { staged, order: [next] }: Train): boolean {
  const names = [...staged.map(({ branch }) => branch), ...(next === undefined ? [] : [next.branch])];
  return names.some((branch) => draft.candidate(branch)?.accepted === true);
}

/** A group is not cut in two by the size of the train. */
function goesWithLast({ staged, groups }: Train, { branch }: Planned): boolean {
  const last = staged.at(-1)?.branch;
  return last !== undefined && groups.some((group) => group.includes(branch) && group.includes(last));
}

function replay(draft: LandingDraft, train: Train, { branch }: Planned, target: Branch): LandingEffect {
  const { strategy, landed } = draft.state;
  return {
    type: "branch.replay",
    branch,
    tip: draft.candidate(branch)?.tip ?? train.base,
    target,
    onto: headOf(train),
    base: train.base,
    since: landed.findLast((each) => each.branch === branch)?.from ?? null,
    date: train.date,
    strategy,
  };
}

function run(draft: LandingDraft, train: Train, target: Branch, redBase: boolean): LandingEffect[] | null {
  const { staged, base } = train;
  const waits = staged.map(({ to }) => draft.known(train, to)).find((each) => each?.is === "waiting" && !each.own);
  if (waits && redBase) return sendAway(draft, train, target, waits.because);
  if (waits) return hold(draft, waits.because ?? "its gates cannot be run");
  const next = nextTest(staged.length, (length) => testedPrefix(draft, train, length), draft.facts.jobs);
  if (next.do === "land") return [land(draft, train, next.length, target)];
  if (next.do === "blame") return blame(draft, train, next.length, target, redBase);
  const wanted = next.lengths.map((length) => staged[length - 1]?.to as Commit);
  return wanted
    .filter((commit) => train.checks[commit] === undefined)
    .map((commit) => ({ type: "train.test", commit, target, base, again: false }));
}

/** On a red target each is tried alone: what does not mend it waits until something has. */
function sendAway(draft: LandingDraft, { staged }: Train, target: Branch, because: string | null): null {
  for (const { branch } of staged) draft.hold(branch, because ?? `${target} itself fails`);
  draft.send({ type: "replanned" });
  return null;
}

function testedPrefix(draft: LandingDraft, train: Train, length: number): Tested {
  const commit = train.staged[length - 1]?.to;
  if (commit === undefined || train.checks[commit] === undefined) return "unknown";
  const known = draft.known(train, commit);
  if (known?.is === "red" && isAccepted(draft, train.staged.slice(0, length), known)) return "green";
  if (known?.own) return "red";
  return known?.is === "green" || known?.is === "red" ? known.is : "testing";
}

/** Nothing fails, only fewer tests run, and a person has accepted that of a branch in it. */
const isAccepted = (draft: LandingDraft, staged: readonly Staged[], { findings }: TestedCommit): boolean =>
  findings.length > 0 &&
  findings.every(isForPerson) &&
  staged.some(({ branch }) => draft.candidate(branch)?.accepted === true);

/** What the gates say of a commit, or what is asked for to know it. */
function testOf(
  draft: LandingDraft,
  train: Train,
  commit: Commit,
  target: Branch,
): "green" | "red" | LandingEffect[] | null {
  if (train.checks[commit] === undefined)
    return [{ type: "train.test", commit, target, base: train.base, again: false }];
  const known = draft.known(train, commit);
  if (known === null || known.is === "running") return [];
  return known.is === "waiting" ? hold(draft, known.because ?? "its gates cannot be run") : known.is;
}

/** The branch that turns a green beginning red. It is run once more before it is sent back; what is before it lands. */
function blame(
  draft: LandingDraft,
  train: Train,
  length: number,
  target: Branch,
  redBase: boolean,
): LandingEffect[] | null {
  const culprit = train.staged[length - 1] as Staged;
  const { to, branch } = culprit;
  const known = draft.known(train, to);
  if (draft.facts.retry > 0 && !train.again.includes(to) && !known?.own) {
    draft.send({ type: "again", commit: to });
    return [{ type: "train.test", commit: to, target, base: train.base, again: true }];
  }
  const findings = known?.findings ?? [];
  const group = draft.groupOf(branch);
  const begins = train.staged.findIndex((each) => group.includes(each.branch));
  const earlier = train.staged.slice(0, length - 1).map((each) => each.branch);
  for (const each of group)
    if (known?.own) draft.end(each, "waiting", known.because ?? "its files cannot be laid out");
    else sendBack(draft, each, findings, earlier, redBase ? target : null);
  if (begins > 0) return [land(draft, train, begins, target)];
  draft.send({ type: "replanned" });
  return null;
}

function sendBack(
  draft: LandingDraft,
  branch: string,
  findings: readonly Finding[],
  earlier: readonly string[],
  redTarget: Branch | null,
): void {
  if (redTarget !== null) draft.hold(branch, `${redTarget} itself fails, and this does not mend it`);
  else if (findings.length > 0 && findings.every(isForPerson)) draft.waitForPerson(branch, findings);
  else draft.end(branch, "bounced", becauseOf(findings, earlier), metBy(findings, earlier));
}

function becauseOf([first]: readonly Finding[], earlier: readonly string[]): string {
  const what = first === undefined ? "its gates fail" : inOneLine(first).replace(/^\[[^\]]*\] /, "");
  return earlier.length === 0 ? what : `${what} (tested on top of ${earlier.join(", ")})`;
}

/** A group lands whole: what would cut it in two ends before it. */
function land(draft: LandingDraft, train: Train, count: number, target: Branch): LandingEffect {
  const last = train.staged[count - 1] as Staged;
  for (const { branch, to } of train.staged.slice(0, count))
    if (train.again.includes(to)) draft.send({ type: "flaky", branch });
  return { type: "target.move", target, from: train.base, to: last.to, tree: last.tree, count };
}
