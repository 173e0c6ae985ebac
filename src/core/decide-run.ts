import { overBudget } from "./budget.ts";
import type { Change } from "./changes.ts";
import { GO_ON } from "./clis/first-prompt.ts";
import { type Cursor, freshCursor, tellsOf } from "./cursors.ts";
import type { Delivery } from "./delivery.ts";
import { describeRun } from "./describe-run.ts";
import type { Effect, EffectType, LaunchOrder, Settled } from "./effects.ts";
import { type AgentEvent, addUsage, type Exit, type Usage } from "./events.ts";
import { conversationId } from "./hook-word.ts";
import type { AgentId, Instant, RunId } from "./ids.ts";
import { askedForPermission, handed, isOpen, type Question, unhanded, withdrawn } from "./questions.ts";
import type { RosterEntry } from "./roster.ts";
import { type Ended, endedBy, endedByFailure, endedByUs, type Run, runId } from "./run.ts";
import type { Stand } from "./stand.ts";
import type { Step } from "./step.ts";

/** What was observed about a run this tick, and what has happened to it since the last one. */
export interface RunFacts {
  readonly now: Instant;
  /** `empty` is a worktree whose checkout has not finished: git writes the index last. */
  readonly worktree: "absent" | "empty" | "filled";
  /** The run whose process lives now, as our child. */
  readonly alive: RunId | null;
  readonly exit: Exit | null;
  readonly events: readonly AgentEvent[];
  readonly settled: readonly Settled[];
  /** This agent's permission questions that are open, or answered and not yet handed over. */
  readonly questions: readonly Question[];
  /** Its other open questions. */
  readonly asked: readonly Question[];
  readonly nextQuestion: number;
  /** The last message of the journal. */
  readonly head: number;
  /** Whether its process has shown any sign of life. */
  readonly signed: boolean;
  readonly cursor: Cursor;
  /** The highest seq in its inbox that should wake it. */
  readonly newest: number;
  /** Whether it can be told something over its channel at this moment. */
  readonly listens: boolean;
  /** What it is at in its pane. */
  readonly at: "working" | "waiting" | "ready" | null;
  /** Its turn is over, and it waits for another word. */
  readonly resting: boolean;
  /** Where it stands in its pane and cannot go on without a person. */
  readonly stand: Stand | null;
  readonly roster: RosterEntry;
}

/**
 * One turn of a run's lane: fold in what happened, then ask for the next thing that is missing. The same facts twice
 * ask for nothing the second time.
 */
export function decideRun(run: Run, facts: RunFacts): Step<Run> {
  const draft = new Draft(run, facts);
  for (const settled of facts.settled) draft.settle(settled);
  for (const event of facts.events) draft.hear(event);
  if (facts.exit !== null) draft.exited(facts.exit);
  else if (draft.run.live !== null && facts.alive === null) draft.vanished();
  return draft.step(draft.unlessInVain(missing(draft)));
}

function missing(draft: Draft): readonly Effect[] {
  const { run, facts } = draft;
  if (draft.undo !== null) return [draft.undo];
  if (run.wanted !== "up")
    return facts.alive !== null ? [{ type: "agent.end", run: facts.alive }] : removing(run, facts);
  if (run.ended !== null && run.live === null) return [];
  if (run.ended !== null && facts.alive !== null) return [{ type: "agent.end", run: facts.alive }];
  if (run.live === null && facts.alive !== null) return [{ type: "agent.end", run: facts.alive }];
  if (facts.worktree === "absent" && run.live === null) {
    draft.startsOver();
    return [{ type: "worktree.add", path: run.worktree, branch: run.branch, from: run.from }];
  }
  // Only where nobody can have worked yet: a lost index looks the same, and filling would be a hard reset.
  if (facts.worktree === "empty" && !run.ready && run.ours.worktree)
    return [{ type: "worktree.fill", path: run.worktree }];
  if (!run.ready)
    return [{ type: "worktree.set-up", path: run.worktree, branch: run.branch, setUp: run.setUp, log: run.log }];
  if (run.live === null) return [launching(run, facts.now)];
  if (cameToNothing(draft)) {
    draft.tryAgain();
    return [launching(run, facts.now)];
  }
  if (run.paused) return handingOver(run.live, draft);
  const briefed = !run.terminal || run.briefed === run.live;
  const said = [...handingOver(run.live, draft), ...(briefed ? telling(run.live, draft) : briefing(run.live, draft))];
  return said.length === 0 && isDone(draft) ? [{ type: "agent.dismiss", run: run.live }] : said;
}

/**
 * A shell stands where the agent should be, which was never told anything: tried once more, in the same pane. One that
 * was may have done its work, however quickly.
 */
const cameToNothing = ({ run, facts: { stand } }: Draft): boolean =>
  stand?.at === "shell" && stand.untouched === true && run.briefed !== run.live && !run.relaunched && !run.paused;

/** It rests, and nobody will say anything to it that it waits for: no answer, and nobody who is to unblock it. */
function isDone({ facts, cursor }: Draft): boolean {
  if (!facts.resting || facts.asked.length > 0 || facts.roster.state === "blocked") return false;
  return facts.newest <= Math.max(cursor.delivered, cursor.told);
}

/** Saved, then removed, then forgotten; a step further only when the one before is observed or recorded. */
function removing(run: Run, facts: RunFacts): readonly Effect[] {
  if (run.wanted !== "gone" || run.removal === null || run.removal.keepWorktree || !run.ours.worktree) return [];
  const { worktree: path, branch, from, saved } = run;
  if (saved === null) return [{ type: "work.save", path, branch, from, ref: run.removal.ref }];
  if (!run.removal.cleared) return [{ type: "worktree.remove", path, branch, saved }];
  const deleted = facts.settled.some(({ effect }) => effect.type === "branch.delete");
  return run.ours.branch && saved.tip !== null && !deleted ? [{ type: "branch.delete", branch, at: saved.tip }] : [];
}

function launching(run: Run, now: Instant): Effect {
  const { cli, worktree, branch, brief, terminal, port, log, conversation, conversationSince = null } = run;
  const order: LaunchOrder = { cli, worktree, branch, brief, terminal, port, log, conversation, conversationSince };
  return { type: "agent.launch", agent: run.agent, run: runId(run, now), order };
}

/** What could not be handed over this tick waits for the next: the process is on its way out. */
function handingOver(live: RunId, draft: Draft): Effect[] {
  const tried = draft.facts.settled.flatMap(({ effect }) => (effect.type === "agent.answer" ? [effect.question] : []));
  return draft
    .unhanded()
    .flatMap(({ run, request, number, closed }) =>
      run === live && request !== null && closed?.how === "answered" && !tried.includes(number)
        ? [{ type: "agent.answer", run: live, request, question: number, answer: closed.answer }]
        : [],
    );
}

/** As its first prompt, once it stands at one. */
function briefing(live: RunId, { run, facts }: Draft): Effect[] {
  const tried = facts.settled.some(({ effect }) => effect.type === "agent.brief");
  const brief = run.resumes ? GO_ON : run.brief;
  return facts.listens && !tried ? [{ type: "agent.brief", run: live, brief }] : [];
}

/** Again and again while there is something left, but not again at once after it could not be told. */
function telling(live: RunId, { run, facts, cursor }: Draft): Effect[] {
  const failed = facts.settled.some(
    ({ effect, outcome }) => effect.type === "agent.tell" && !(outcome.ok && outcome.told),
  );
  return facts.listens && facts.newest > Math.max(cursor.delivered, cursor.told) && !failed
    ? [{ type: "agent.tell", agent: run.agent, run: live }]
    : [];
}

/** The step while it is being made. */
class Draft {
  private readonly changes: Change[] = [];
  private readonly questions: Map<number, Question>;
  undo: Effect | null = null;
  cursor: Cursor;

  constructor(
    public run: Run,
    readonly facts: RunFacts,
  ) {
    this.questions = new Map(facts.questions.map((each) => [each.number, each]));
    this.cursor = facts.cursor;
  }

  settle({ effect, outcome }: Settled): void {
    if (!outcome.ok) {
      if (outcome.failure.kind === "worktree.changed" && this.savesAgain()) return;
      this.failed(effect, endedByFailure(outcome.failure, this.facts.now));
      return;
    }
    if (outcome.skipped) return;
    if (outcome.warnings) this.run = { ...this.run, warnings: [...this.run.warnings, ...outcome.warnings] };
    if (effect.type === "worktree.set-up") this.run = { ...this.run, ready: true };
    if (effect.type === "agent.launch") this.launched(effect);
    if (effect.type === "agent.brief") this.typed(effect.run, outcome.typed ?? "waits");
    if (effect.type === "agent.end") this.ends(endedByUs("stopped", this.facts.now));
    if (effect.type === "work.save") this.run = { ...this.run, saved: outcome.saved ?? null };
    if (effect.type === "worktree.remove" && this.run.removal !== null)
      this.run = { ...this.run, removal: { ...this.run.removal, cleared: true } };
    if (effect.type === "agent.answer") this.handOver(effect.question);
    if (effect.type === "agent.tell" && outcome.told) this.told(outcome.told.seq, outcome.told.nothingElse);
  }

  /** What opened doors to the first attempt opens none to the second. */
  tryAgain(): void {
    if (this.run.live !== null) this.changes.push({ row: "token", drop: this.run.live });
    this.run = { ...this.run, relaunched: true };
  }

  private launched({ run, order }: Extract<Effect, { type: "agent.launch" }>): void {
    const resumes = order.conversation !== null;
    this.run = { ...this.run, live: run, launches: this.run.launches + 1, resumes, takenUp: false };
  }

  /** What could not be done ends the attempt and says why; a removal that failed removes nothing further. */
  private failed(effect: Effect, ended: Ended): void {
    if (SPEAKS.has(effect.type) || effect.type === "worktree.undo") return;
    const wanted = this.run.wanted === "gone" ? "down" : this.run.wanted;
    this.run = { ...this.run, ended, wanted, live: null };
    if (effect.type === "agent.launch") this.changes.push({ row: "token", drop: effect.run });
    if (effect.type === "worktree.add" || effect.type === "worktree.fill") this.undo = undoing(this.run);
  }

  /** Somebody worked there after it was saved: that is saved, too, a few times, and then a person has to look. */
  private savesAgain(): boolean {
    const { removal } = this.run;
    if (removal === null || removal.tries >= MOST_TRIES) return false;
    this.run = { ...this.run, saved: null, removal: { ...removal, tries: removal.tries + 1 } };
    return true;
  }

  private typed(run: RunId, how: Delivery): void {
    if (how === "submitted") this.run = { ...this.run, briefed: run };
    const stuck = "its brief stands in its input box, and Enter does not submit it: look at its pane";
    if (how === "stuck" && !this.run.warnings.includes(stuck))
      this.run = { ...this.run, warnings: [...this.run.warnings, stuck] };
  }

  /** A worktree that is made anew is set up anew. */
  startsOver(): void {
    this.run = { ...this.run, ready: false };
  }

  hear(event: AgentEvent): void {
    if (event.type === "session") this.talks(event.id);
    if (event.type === "usage") this.spent(event.usage);
    if (event.type === "permission.over") this.over(event.request);
    if (event.type !== "permission" || this.run.live === null || this.asked(event.request)) return;
    // One that asks without end is not answered without end.
    if ([...this.questions.values()].filter(isOpen).length >= MOST_REQUESTS) return;
    const asked = [...this.questions.values()].filter((each) => each.number >= this.facts.nextQuestion).length;
    const number = this.facts.nextQuestion + asked;
    this.put(askedForPermission(number, this.run.agent, this.run.live, event, this.facts.now));
  }

  private talks(said: string): void {
    const id = conversationId(said);
    if (id === null) return;
    const since = id === this.run.conversation ? this.run.conversationSince : this.facts.now;
    this.run = { ...this.run, conversation: id, conversationSince: since ?? this.facts.now, takenUp: true };
  }

  /** On what was really spent: a limit reached ends the run, and says so. */
  private spent(usage: Usage): void {
    this.run = { ...this.run, usage: addUsage(this.run.usage, usage) };
    const over = overBudget(this.run);
    if (over !== null && this.run.ended === null)
      this.run = { ...this.run, ended: { how: "aborted", note: over, at: this.facts.now, failure: null } };
  }

  /** Asked before: a supervisor that comes back sees the same request on the screen again. */
  private asked(request: string): boolean {
    const live = this.run.live;
    return [...this.questions.values()].some((each) => each.run === live && each.request === request);
  }

  private over(request: string): void {
    for (const question of this.questions.values())
      if (question.run === this.run.live && question.request === request && (isOpen(question) || unhanded(question)))
        this.put(withdrawn(question, this.facts.now));
  }

  exited(exit: Exit): void {
    // A conversation its CLI did not find again is not tried for ever: the next launch begins a new one.
    if (this.run.resumes && !this.run.takenUp) this.run = { ...this.run, conversation: null };
    this.ends(this.run.wanted === "up" ? endedBy(exit, this.run.cli) : endedByUs("stopped", exit.at));
  }

  /** Its process is gone and nobody saw how: our supervisor died with it. Wanted up, it is launched again. */
  vanished(): void {
    this.ends(endedByUs("its supervisor ended", this.facts.now));
    if (this.run.wanted === "up") this.run = { ...this.run, ended: null };
  }

  /** What was just done, and is asked for again at once, did not help: said instead of repeated for ever. */
  unlessInVain(effects: readonly Effect[]): readonly Effect[] {
    const again = effects.find(
      ({ type }) => ONCE.has(type) && this.facts.settled.some(({ effect }) => effect.type === type),
    );
    if (again === undefined) return effects;
    this.failed(again, endedByFailure({ kind: "internal", detail: `${again.type} had no effect` }, this.facts.now));
    return [];
  }

  /** A run that ended asks nothing any more, and its token opens nothing. */
  private ends(ended: Ended): void {
    if (this.run.live !== null) this.changes.push({ row: "token", drop: this.run.live });
    for (const question of this.questions.values()) {
      if (isOpen(question) || unhanded(question)) this.put(withdrawn(question, this.facts.now));
    }
    this.run = { ...this.run, live: null, ended: this.run.ended ?? ended };
  }

  private handOver(number: number): void {
    const question = this.questions.get(number);
    if (question) this.put(handed(question));
  }

  private put(question: Question): void {
    this.questions.set(question.number, question);
    this.changes.push({ row: "question", put: question });
  }

  private told(seq: number, nothingElse: boolean): void {
    this.cursor = tellsOf(this.cursor, seq, nothingElse, this.facts.now);
    this.changes.push({ row: "cursor", put: this.cursor });
  }

  unhanded(): Question[] {
    return [...this.questions.values()].filter(unhanded);
  }

  step(effects: readonly Effect[]): Step<Run> {
    const { run, facts } = this;
    if (run.wanted === "gone" && effects.length === 0) {
      return { state: null, changes: [...this.changes, ...farewell(run.agent, facts)], effects };
    }
    const waiting = [...this.questions.values()].find(isOpen) ?? null;
    const row = describeRun({ run, effects, waiting, ...facts }, facts.roster);
    if (row !== facts.roster) this.changes.push({ row: "roster", put: row });
    return { state: run, changes: this.changes, effects };
  }
}

/** What is said to an agent; that it was not heard does not end its run. */
const SPEAKS: ReadonlySet<EffectType> = new Set(["agent.brief", "agent.tell", "agent.answer"]);
const MOST_TRIES = 3;
const MOST_REQUESTS = 50;

const ONCE: ReadonlySet<EffectType> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.remove",
  "agent.end",
  "agent.dismiss",
  "work.save",
]);

/** Takes back what a failed start half made: only what is ours, and only while it holds nothing but its starting point. */
function undoing({ worktree, branch, from, ours }: Run): Effect | null {
  if (!ours.worktree) return null;
  return { type: "worktree.undo", path: worktree, branch: ours.branch ? branch : null, from };
}

/** Nothing of it stays to be answered, and whoever has this id next does not hear what was meant for this one. */
const farewell = (agent: AgentId, { head, asked, now }: RunFacts): Change[] => [
  { row: "roster", drop: agent },
  { row: "intent", drop: agent },
  { row: "cursor", put: freshCursor(agent, head) },
  ...asked.map((question): Change => ({ row: "question", put: withdrawn(question, now) })),
];
