import type { AgentEvent, Exit, Usage } from "../clis/events.ts";
import { conversationId } from "../clis/hook-word.ts";
import { kindNamed } from "../clis/kinds.ts";
import { isOwnWord } from "../clis/own-word.ts";
import { type Cursor, type Told, tellsOf } from "../messages/cursors.ts";
import {
  askedForPermission,
  handed,
  isOpen,
  isPending,
  type Question,
  unhanded,
  withdrawn,
} from "../messages/questions.ts";
import { isFinished } from "../messages/roster.ts";
import type { Change } from "../record/changes.ts";
import { followDone, type WhenDone } from "../record/effects.ts";
import type { Instant } from "../text/ids.ts";
import { type Assignment, type Ended, endedBy, endedByFailure, endedByUs } from "./assignment.ts";
import { overBudget } from "./budget.ts";
import type {
  AnswerRule,
  AssignmentEffect,
  AssignmentEffects,
  AssignmentEffectType,
  AssignmentSettled,
} from "./effects.ts";
import type { AssignmentFacts } from "./facts.ts";
import { type AssignmentEvent, reduceAssignment } from "./reduce-assignment.ts";

/** How often work that appeared after a save is saved again before a person has to look. */
const MOST_SAVES = 3;
/** One that asks without end is not answered without end. */
const MOST_REQUESTS = 50;

/** What is said to an agent; that it was not heard does not end its run. */
const SPEAKS: ReadonlySet<AssignmentEffectType> = new Set(["agent.brief", "agent.tell", "agent.answer"]);

const BEGAN_AGAIN = "its CLI did not find its earlier conversation: it began a new one, with its whole brief";
const BEGINS_ANEW = "its CLI does not continue a conversation in tmux: it began a new one, with its whole brief";
const STUCK = "its brief was typed into its pane, and it does not show that it has taken it: look there";

/** A step while it is being made: facts become events, and each event is applied at once. */
export class Draft {
  readonly events: AssignmentEvent[] = [];
  readonly changes: Change[] = [];
  private readonly questions: Map<number, Question>;
  /** Permission requests that code allows, and by which rule: nobody has to be asked. */
  readonly byRule: { readonly request: string; readonly rule: AnswerRule }[] = [];
  /** Set when a start failed half way: what it has made is taken back. */
  undo: AssignmentEffect | null = null;
  cursor: Cursor;

  constructor(
    public assignment: Assignment,
    readonly facts: AssignmentFacts,
  ) {
    this.questions = new Map(facts.questions.map((each) => [each.number, each]));
    this.cursor = facts.cursor;
  }

  send(event: AssignmentEvent): void {
    this.events.push(event);
    this.assignment = reduceAssignment(this.assignment, event) ?? this.assignment;
  }

  fold(): void {
    const { settled, events, exit, alive } = this.facts;
    for (const each of settled) this.settle(each);
    for (const event of events) this.hear(event);
    if (exit !== null) this.exited(exit);
    else if (this.assignment.live !== null && alive === null) this.vanished();
  }

  private settle(settled: AssignmentSettled): void {
    const { effect, outcome } = settled;
    if (outcome.ok) return followDone(WHEN_DONE, this, settled);
    if (outcome.failure.kind === "worktree.changed" && this.savesAgain()) return;
    this.failed(effect, endedByFailure(outcome.failure, this.facts.now));
  }

  /** What could not be done ends the attempt and says why; a removal that failed removes nothing further. */
  failed(effect: AssignmentEffect, ended: Ended): void {
    if (SPEAKS.has(effect.type) || effect.type === "worktree.undo") return;
    this.send({ type: "failed", ended });
    if (effect.type === "agent.launch") this.changes.push({ row: "token", drop: effect.run });
    if (effect.type === "worktree.add" || effect.type === "worktree.fill") this.undo = undoing(this.assignment);
  }

  /** Somebody worked there after it was saved: that is saved, too, a few times, and then a person has to look. */
  private savesAgain(): boolean {
    const { removal } = this.assignment;
    if (removal === null || removal.tries >= MOST_SAVES) return false;
    this.send({ type: "worktree.changed-after-save" });
    return true;
  }

  /** The tokens of the first attempt open nothing for the second. */
  relaunch(): void {
    const { live } = this.assignment;
    if (live !== null) this.changes.push({ row: "token", drop: live });
    this.send({ type: "relaunching" });
  }

  private hear(event: AgentEvent): void {
    this.retries(event);
    if (event.type === "session") this.talks(event.id);
    if (event.type === "usage") this.spent(event.usage);
    if (event.type === "permission.over") this.over(event.request);
    if (event.type === "permission") this.asks(event);
  }

  private retries(event: AgentEvent): void {
    const { retrying } = this.assignment;
    if (event.type === "retry" && retrying === null)
      this.send({ type: "retrying", at: this.facts.now, reason: event.reason.slice(0, 200) });
    if (event.type !== "retry" && retrying !== null) this.send({ type: "went-on" });
  }

  private asks(event: Extract<AgentEvent, { type: "permission" }>): void {
    const { agent, live, terminal } = this.assignment;
    const questions = [...this.questions.values()];
    // Asked before: a supervisor that comes back sees the same request on the screen again.
    const known = questions.some((each) => each.run === live && each.request === event.request);
    if (live === null || known || questions.filter(isOpen).length >= MOST_REQUESTS) return;
    const { nextQuestion, now, allowed } = this.facts;
    const { command, request } = event;
    if (!terminal && command !== null && isOwnWord(command)) {
      this.byRule.push({ request, rule: "own-command" });
      return;
    }
    if (command !== null && allowed.includes(command)) {
      this.byRule.push({ request, rule: "allowed-for-session" });
      return;
    }
    const number = nextQuestion + questions.filter((each) => each.number >= nextQuestion).length;
    this.put(askedForPermission(number, agent, live, event, now));
  }

  private talks(said: string): void {
    const id = conversationId(said);
    if (id === null) return;
    const { unconfirmed } = this.assignment;
    if (unconfirmed !== null) this.told(unconfirmed);
    this.send({ type: "conversation.named", id, at: this.facts.now });
  }

  /** On what was really spent: a limit reached ends the run, and says so. */
  private spent(usage: Usage): void {
    this.send({ type: "spent", usage });
    const over = overBudget(this.assignment);
    if (over !== null)
      this.send({ type: "ending", ended: { how: "aborted", note: over, at: this.facts.now, failure: null } });
  }

  /** What stood in its first prompt counts as told: the prompt was typed, or lay beside its work when its run ended. */
  hasOpening(): void {
    const { opening, unconfirmed } = this.assignment;
    if (opening !== null && unconfirmed !== null) this.told(unconfirmed);
  }

  /** At its prompt, it has not failed to find the conversation that it was launched for. */
  takenUp(): void {
    if (this.assignment.resumes && !this.assignment.takenUp) this.send({ type: "taken-up" });
  }

  /** What to say of a coding CLI in a pane that had its brief before, and gets it again. */
  beginsAnew(knowsConversation: boolean): string[] {
    const { terminal, briefed, cli, startWarnings: said } = this.assignment;
    if (knowsConversation || !terminal || briefed === null || kindNamed(cli.protocol) === null) return [];
    return said.includes(BEGAN_AGAIN) || said.includes(BEGINS_ANEW) ? [] : [BEGINS_ANEW];
  }

  private over(request: string): void {
    const { live } = this.assignment;
    for (const question of this.questions.values())
      if (question.run === live && question.request === request && isPending(question))
        this.put(withdrawn(question, this.facts.now));
  }

  private exited(exit: Exit): void {
    const { resumes, takenUp, wanted, cli } = this.assignment;
    this.hasOpening();
    const ended = exit.closed
      ? this.stopped(exit.at, "its pane was closed")
      : wanted === "up"
        ? endedBy(exit, cli)
        : this.stopped(exit.at);
    this.ends(ended);
    if (!resumes || takenUp) return;
    // Its CLI has not found the conversation again: pi, for one, writes it down only after its first answer. The next
    // launch begins a new one, with the whole brief.
    this.send({ type: "conversation.lost" });
    if (wanted !== "up" || ended.how !== "error") return;
    this.send({ type: "vanished" });
    this.send({ type: "warned", about: "start", warnings: [BEGAN_AGAIN] });
  }

  /** Its process is gone and nobody saw how: our supervisor died with it. Wanted up, it is launched again. */
  private vanished(): void {
    const ended = this.stopped(this.facts.now, "its supervisor ended");
    this.ends(ended);
    if (this.assignment.wanted === "up" && ended.how !== "ok") this.send({ type: "vanished" });
  }

  /** How a run ended that we ended: one that had reported its work as done stays done. */
  stopped(at: Instant, note = "stopped"): Ended {
    const { state, evidence } = this.facts.roster;
    return isFinished(state) ? { how: "ok", note: evidence, at, failure: null } : endedByUs(note, at);
  }

  /** A run that ended asks nothing any more, and its token opens nothing. */
  ends(ended: Ended): void {
    const { live } = this.assignment;
    if (live !== null) this.changes.push({ row: "token", drop: live });
    for (const question of this.questions.values())
      if (isPending(question)) this.put(withdrawn(question, this.facts.now));
    this.send({ type: "ended", ended });
  }

  handOver(number: number): void {
    const question = this.questions.get(number);
    if (question) this.put(handed(question));
  }

  told(told: Told): void {
    this.cursor = tellsOf(this.cursor, told, this.facts.now);
    this.changes.push({ row: "cursor", put: this.cursor });
  }

  unhanded(): Question[] {
    return [...this.questions.values()].filter(unhanded);
  }

  waiting(): Question | null {
    return [...this.questions.values()].find(isOpen) ?? null;
  }

  private put(question: Question): void {
    this.questions.set(question.number, question);
    this.changes.push({ row: "question", put: question });
  }
}

const WHEN_DONE: WhenDone<AssignmentEffects, Draft> = {
  "worktree.set-up": (draft, _, { warnings }) => {
    if (warnings.length > 0) draft.send({ type: "warned", about: "worktree", warnings });
    draft.send({ type: "worktree.ready" });
  },
  "worktree.mend": (draft, _, { warnings }) => {
    draft.send({ type: "worktree.checked" });
    if (warnings.length > 0) draft.send({ type: "warned", about: "start", warnings });
  },
  "agent.launch": (draft, { run, order }, { told = null, opening = null, begins = null, warnings = [] }) => {
    const resumes = order.conversation !== null && begins === null;
    const all = [...warnings, ...draft.beginsAnew(resumes || begins !== null)];
    if (all.length > 0) draft.send({ type: "warned", about: "start", warnings: all });
    draft.send({ type: "launched", at: draft.facts.now, run, resumes, told, opening, begins });
    // One that resumes may not find its conversation, and what is to be typed has not been: it counts once it has it.
    if (told !== null && !resumes && opening === null) draft.told(told);
  },
  "agent.brief": (draft, { run }, { typed }) => {
    if (typed === "submitted") draft.hasOpening();
    if (typed === "submitted") draft.send({ type: "briefed", run });
    if (typed === "submitted") draft.takenUp();
    if (typed === "stuck" && !draft.assignment.startWarnings.includes(STUCK))
      draft.send({ type: "warned", about: "start", warnings: [STUCK] });
  },
  "agent.end": (draft) => draft.ends(draft.stopped(draft.facts.now)),
  "agent.answer": (draft, { question }) => {
    if (question !== null) draft.handOver(question);
  },
  "agent.tell": (draft, _, { told }) => {
    if (told) draft.told(told);
    if (told) draft.takenUp();
  },
  "work.save": (draft, _, { saved }) => draft.send({ type: "worktree.saved", saved }),
  "worktree.remove": (draft) => draft.send({ type: "worktree.removed" }),
};

/** Takes back what a failed start half made: only what is ours, and only while it holds nothing but its starting point. */
function undoing({ worktree, branch, from, ours }: Assignment): AssignmentEffect | null {
  if (!ours.worktree) return null;
  return { type: "worktree.undo", path: worktree, branch: ours.branch ? branch : null, from };
}
