import { asErrors, type Finding, findingKey, inOneLine } from "../messages/finding.ts";
import {
  askedByLane,
  handed,
  isAbout,
  isOpen,
  type Question,
  refusalReason,
  unhanded,
  withdrawn,
} from "../messages/questions.ts";
import { move } from "../messages/roster.ts";
import type { Change } from "../record/changes.ts";
import type { JournalView } from "../record/journal-view.ts";
import { type Saying, saying } from "../record/publish.ts";
import { type AgentId, type Branch, type Commit, type Instant, SUPERVISOR } from "../text/ids.ts";
import { iso } from "../text/instant.ts";
import type { AskedBranch, Candidate, LandingEvent, Landings, Strategy, Train } from "./landing.ts";
import type { LandingEffect, LandingSettled, TestedCommit } from "./landing-effects.ts";
import { cycleKey } from "./plan-train.ts";
import { LAND_LANE } from "./reduce-landing.ts";
import { summaryText } from "./texts.ts";

export interface LandingFacts {
  readonly now: Instant;
  readonly view: JournalView;
  readonly settled: readonly LandingSettled[];
  /** Where the target is now; null where there is no such branch. */
  readonly target: Commit | null;
  /** The branch that was looked at for that: another may have become the target meanwhile. */
  readonly looked: Branch | null;
  /** What a check came to; null where nobody knows it. */
  tested(check: string): TestedCommit | null;
  /** How many branches share a test, how many tests run at once, how often a red one is run again. */
  readonly batch: number;
  readonly jobs: number;
  readonly retry: number;
  /** What could land now although nobody has asked for it; null where nobody is supposed to. */
  readonly ready: Ready | null;
}

/** Verified work that has not been tried as it is now. */
export interface Ready {
  readonly mode: "manual" | "auto";
  readonly target: Branch;
  readonly strategy: Strategy;
  readonly branches: readonly AskedBranch[];
  /** No agent is still at work: whoever has a task is verified, or has failed. */
  readonly everyone: boolean;
}

type Over = Exclude<Candidate["state"], "queued" | "staged">;

export const isOver = ({ state }: Candidate): boolean => state !== "queued" && state !== "staged";
export const headOf = ({ base, staged }: Train): Commit => staged.at(-1)?.to ?? base;

/** Why what needs it cannot land. */
export const fateOf = (candidate: Candidate | null): string =>
  candidate === null ? "is not to land: land it, too" : (FATES[candidate.state] ?? "did not land");

const FATES: Partial<Record<Candidate["state"], string>> = {
  bounced: "bounced",
  skipped: "was skipped",
  waiting: "waits",
};

/** A decision on the landing while it is being made: each event is applied at once, and what follows from it is said. */
export class LandingDraft {
  readonly events: LandingEvent[] = [];
  readonly changes: Change[] = [];
  readonly says: Saying[] = [];

  constructor(
    public state: Landings,
    readonly facts: LandingFacts,
  ) {}

  send(event: LandingEvent): void {
    this.events.push(event);
    this.state = LAND_LANE.rules.reduce(this.state, event) ?? this.state;
  }

  candidate(branch: string): Candidate | null {
    return this.state.queue.find((each) => each.branch === branch) ?? null;
  }

  queued = (): Candidate[] => this.state.queue.filter(({ state }) => state === "queued");
  underWay = (): Candidate[] => this.state.queue.filter((each) => !isOver(each));

  /** Those that land together with it, or not at all. */
  groupOf = (branch: string): readonly string[] =>
    this.state.train?.groups.find((group) => group.includes(branch)) ?? [branch];

  /** What the gates said of a commit of the train. */
  known(train: Train, commit: Commit): TestedCommit | null {
    const check = train.checks[commit];
    return check === undefined ? null : this.facts.tested(check);
  }

  /** It is over for a branch, for now; whoever made it is told what was found. */
  end(branch: string, as: Over, because: string, findings: readonly Finding[] = []): void {
    const agent = this.candidate(branch)?.agent ?? null;
    this.send({ type: "ended", branch, as, because, findings });
    if (agent === null || findings.length === 0 || as === "landed") return;
    const payload = { from: SUPERVISOR, errors: asErrors(findings) };
    this.says.push(saying({ type: "agent.feedback", agent_id: agent, payload }));
    if (as === "bounced") this.mark(agent, "bounced", because);
  }

  /** Nobody's work is to blame: the target itself is red. */
  hold(branch: string, because: string): void {
    this.send({ type: "ended", branch, as: "waiting", because, findings: [], held: true });
  }

  /** What only a person can accept: the branch waits for the answer, and is tried again then. */
  waitForPerson(branch: string, open: readonly Finding[]): void {
    const shown = open.slice(0, 3).map((finding) => inOneLine(finding).replace(/^\[[^\]]*\] /, ""));
    const what = `${shown.join("; ")}${open.length > 3 ? `; and ${open.length - 3} more` : ""}`;
    this.end(branch, "waiting", `a person has to accept: ${what}`, open);
    const keys = open.map(findingKey);
    const request = `${ACCEPT}${JSON.stringify([branch, keys])}`;
    this.takeOver(keys);
    this.ask({
      kind: "gate",
      request,
      options: ["accept", "refuse"],
      text: `${branch} cannot land by itself: ${what}. Accept or refuse?`,
    });
  }

  /** Who verifies it may have asked the same: the answer is needed here now, and one question is enough. */
  private takeOver(keys: readonly string[]): void {
    for (const question of this.facts.view.openQuestions.values())
      if (question.lane !== LAND_LANE.key && isOpen(question) && isAbout(question, keys))
        this.changes.push({ row: "question", put: withdrawn(question, this.facts.now) });
  }

  /** Verified work lands by itself where that is wanted; elsewhere a person is asked, once for all of it. */
  takeReady(): void {
    const { ready, now } = this.facts;
    if (ready === null) return;
    this.withdrawOffers(ready.branches);
    if (ready.branches.length === 0) return;
    const { mode, target, strategy, branches, everyone } = ready;
    if (mode === "auto") return this.send({ type: "asked", target, strategy, branches, at: now });
    if (!everyone) return;
    const request = `${LAND}${JSON.stringify(ready)}`;
    if (this.state.offered === request) return;
    this.send({ type: "offered", request });
    const names = branches.map(({ branch }) => branch).join(", ");
    const text = `All agents are verified. Land ${names} on ${target}? (\`banksman land --plan\` shows the order)`;
    this.ask({ kind: "decision", request, options: ["land", "not now"], text });
  }

  askCycle(cycle: readonly string[]): void {
    const [first = ""] = cycle;
    const text =
      `${[...cycle, first].join(" needs ")}: none of them lands. ` +
      "Answer `together` (they land at one point), `first <branch>` or `skip`, then run `banksman land` again";
    const options = ["together", `first ${first}`, "skip"];
    this.ask({ kind: "decision", request: `${CYCLE}${cycleKey(cycle)}`, options, text });
  }

  /** What a person has answered since. */
  answers(): void {
    for (const question of this.questions().filter(unhanded)) {
      this.changes.push({ row: "question", put: handed(question) });
      const { closed, request } = question;
      if (closed?.how === "answered" && request !== null) this.answered(request, closed.answer.trim());
    }
  }

  private answered(request: string, answer: string): void {
    if (request.startsWith(CYCLE)) this.send({ type: "resolved", cycle: request.slice(CYCLE.length), answer });
    if (request.startsWith(LAND) && answer.toLowerCase() === "land") {
      const { target, strategy, branches } = JSON.parse(request.slice(LAND.length)) as Ready;
      this.send({ type: "asked", target, strategy, branches, at: this.facts.now });
    }
    if (!request.startsWith(ACCEPT)) return;
    const [branch, findings] = JSON.parse(request.slice(ACCEPT.length)) as [string, string[]];
    if (answer.toLowerCase() === "accept") return this.send({ type: "accepted", branch, findings, at: this.facts.now });
    const candidate = this.candidate(branch);
    const reason = refusalReason(answer);
    const why = reason === "" ? "a person has refused it" : `a person has refused it: ${reason}`;
    if (candidate?.state === "waiting") this.end(branch, "bounced", why, refused(candidate.findings, reason));
  }

  private ask(asked: Pick<Question, "kind" | "text" | "options"> & { readonly request: string }): void {
    if (this.questions().some((question) => isOpen(question) && question.request === asked.request)) return;
    const number = this.facts.view.nextQuestion + this.changes.filter(isNewQuestion).length;
    this.changes.push({
      row: "question",
      put: askedByLane(number, { ...asked, lane: LAND_LANE.key }, this.facts.now),
    });
  }

  /** What was offered and has landed, was tried or has moved on meanwhile is no question any more. */
  private withdrawOffers(branches: readonly AskedBranch[]): void {
    const isReady = (one: AskedBranch) => branches.some(({ branch, tip }) => branch === one.branch && tip === one.tip);
    for (const question of this.questions().filter(isOpen)) {
      if (!question.request?.startsWith(LAND)) continue;
      const offer = JSON.parse(question.request.slice(LAND.length)) as Ready;
      if (!offer.branches.every(isReady))
        this.changes.push({ row: "question", put: withdrawn(question, this.facts.now) });
    }
  }

  /** Questions about branches that are not waited for any more. */
  withdrawOthers(): void {
    const waiting = this.state.queue.filter(({ state }) => state === "waiting").map(({ branch }) => branch);
    for (const question of this.questions().filter(isOpen)) {
      const { request } = question;
      if (request === null || !request.startsWith(ACCEPT)) continue;
      const [branch] = JSON.parse(request.slice(ACCEPT.length)) as [string];
      if (!waiting.includes(branch)) this.changes.push({ row: "question", put: withdrawn(question, this.facts.now) });
    }
  }

  private questions(): Question[] {
    return [...this.facts.view.openQuestions.values()].filter(({ lane }) => lane === LAND_LANE.key);
  }

  tellLanded(branch: string, to: Commit, agent: AgentId | null, move: LandingEffect<"target.move">): void {
    const { target, from, to: point } = move;
    this.says.push(
      saying({
        type: "agent.advanced-main",
        from: SUPERVISOR,
        merged_branch: branch,
        new_main_sha: point,
        base: target,
        merged_at: iso(this.facts.now),
        summary: `${branch} landed on ${target} as ${to.slice(0, 12)} (before: ${from.slice(0, 12)})`,
      }),
    );
    if (agent !== null) this.mark(agent, "landed", `on ${target} as ${to.slice(0, 12)}`);
  }

  markTakenBack(agent: AgentId, by: Commit, target: Branch): void {
    this.mark(agent, "bounced", `taken back from ${target} by ${by.slice(0, 12)}`);
  }

  /** Nothing is left to do: everybody hears what came of it. */
  finish(): void {
    this.send({ type: "finished", at: this.facts.now });
    this.withdrawOthers();
    if (!this.state.queue.some(({ agent }) => agent !== null)) return;
    const payload = { status: "idle", modified_files: [], message: summaryText(this.state) };
    this.says.push(saying({ type: "agent.status", agent_id: SUPERVISOR, payload }));
  }

  private mark(agent: AgentId, state: "landed" | "bounced", evidence: string): void {
    const entry = this.facts.view.entry(agent);
    if (entry !== null) this.changes.push({ row: "roster", put: move(entry, state, this.facts.now, evidence) });
  }
}

/** What was refused, with the reason in front. */
const refused = (findings: readonly Finding[], reason: string): readonly Finding[] =>
  reason === ""
    ? findings
    : [{ tag: "testing", kind: "review", message: `a person has refused this: ${reason}` }, ...findings];

const LAND = "land ";
const ACCEPT = "accept ";
const CYCLE = "cycle ";
const isNewQuestion = (change: Change): boolean => change.row === "question" && change.put.closed === null;
