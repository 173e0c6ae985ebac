import type { Change } from "../core/changes.ts";
import {
  type ConflictSettings,
  type Detection,
  decideOpen,
  detectFinished,
  type Escalation,
  type InFlight,
  isOver,
  nextDue,
  type Plans,
} from "../core/conflicts/detect.ts";
import { type ForeseeFacts, foresee, settle, type Told } from "../core/conflicts/foresee.ts";
import { type AgentId, agentLane, CONFLICT_LANE, type Instant, SUPERVISOR } from "../core/ids.ts";
import type { Message } from "../core/messages.ts";
import { accept } from "../core/publish.ts";
import { alreadyAsked, isOpen, type Question, withdrawn } from "../core/questions.ts";
import { subject } from "../core/roster.ts";
import type { Run } from "../core/run.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { sessionOf } from "./look.ts";

/** State of the lane `conflicts`. */
export interface ConflictBook {
  readonly open: readonly InFlight[];
  /** Predicted conflicts that both have been told of. */
  readonly told?: readonly Told[];
}

export const conflictBook = (journal: Journal): Required<ConflictBook> => ({
  open: [],
  told: [],
  ...journal.state<ConflictBook>(CONFLICT_LANE),
});

type Put = (change: Change) => void;

/** What an agent plans and has modified, as the journal has it now; null for one that is not in the roster. */
export function plansOf(journal: Journal, agent: AgentId): Plans | null {
  const entry = journal.entry(agent);
  if (entry === null || agent === SUPERVISOR) return null;
  const owned = journal.state<Run>(agentLane(agent))?.owned ?? [];
  return { agent, files: entry.files, intent: journal.intent(agent), owned };
}

/**
 * Follows a message up in the transaction that stores it: whoever now shares what they did not share before is told, and
 * nobody can see the one without the other. Answers with those to be woken.
 */
export function followUp(journal: Journal, put: Put, message: Message, before: Plans | null, now: Instant): AgentId[] {
  const settings = sessionOf(journal)?.conflicts ?? null;
  const agent = subject(message);
  const after = agent === null ? null : plansOf(journal, agent);
  const finished = finishedBy(message);
  if (settings === null || after === null || (same(before, after) && finished.length === 0)) return [];
  const { open } = conflictBook(journal);
  const cause = { before, after, others: [...everyone(journal)], open, now };
  return tell(journal, put, detectFinished(cause, finished, settings), now);
}

const finishedBy = (message: Message): readonly string[] =>
  message.type === "agent.artifact" && message.payload.anew !== true ? message.payload.modified_files : [];

/** Tells what merging everything now has shown, and settles what turned out to be no conflict. */
export function followOutlook(
  journal: Journal,
  put: Put,
  facts: Omit<ForeseeFacts, "before">,
  now: Instant,
): AgentId[] {
  const settings = sessionOf(journal)?.conflicts ?? null;
  if (settings === null) return [];
  const before = conflictBook(journal);
  const foreseen = foresee({ ...facts, before: before.told });
  const settled =
    settings.settleByTrialMerge === false ? { open: before.open, feedback: [] } : settle(before.open, facts.pairs, now);
  const feedback = [...foreseen.feedback, ...settled.feedback].filter(({ to }) => journal.entry(to) !== null);
  return tell(journal, put, { feedback, questions: [], open: settled.open, told: foreseen.told }, now);
}

export function* everyone(journal: Journal): Iterable<Plans> {
  for (const agent of journal.roster.keys()) {
    const plans = plansOf(journal, agent);
    if (plans !== null) yield plans;
  }
}

const same = (a: Plans | null, b: Plans): boolean => a !== null && a.files === b.files && a.intent === b.intent;

type Found = Detection & { readonly told?: readonly Told[] };

function tell(journal: Journal, put: Put, found: Found, now: Instant): AgentId[] {
  for (const { to, errors } of found.feedback)
    say(journal, put, { type: "agent.feedback", agent_id: to, payload: { from: SUPERVISOR, errors } }, now);
  for (const question of [...journal.openQuestions.values()])
    if (isOpen(question) && isOver(question, found.open)) put({ row: "question", put: withdrawn(question, now) });
  for (const escalation of found.questions) ask(journal, put, escalation, now);
  const before = conflictBook(journal);
  const book = { open: found.open, told: found.told ?? before.told };
  if (sameBook(book, before)) return found.feedback.map(({ to }) => to);
  const empty = book.open.length === 0 && book.told.length === 0;
  put(journal.laneChange(CONFLICT_LANE, empty ? null : book));
  return found.feedback.map(({ to }) => to);
}

/** What a person is asked already is not asked a second time. */
function ask(journal: Journal, put: Put, { text, between, paths }: Escalation, now: Instant): void {
  if (alreadyAsked(journal.openQuestions.values(), SUPERVISOR, text)) return;
  const message: Message = { type: "agent.question", agent_id: SUPERVISOR, payload: { question: text } };
  const about = { kind: "conflict" as const, concerns: between, ...(paths !== undefined && { paths }) };
  for (const change of accept(journal, { message, key: null, re: null }, now)) put(asDetector(change, about));
}

/** Asked in the supervisor's name, and for it to read: by default nobody's own question is news to it. */
function asDetector(change: Change, about: Pick<Question, "kind" | "concerns" | "paths">): Change {
  if (change.row === "message") return { ...change, put: { ...change.put, to: [SUPERVISOR] } };
  return change.row === "question" ? { ...change, put: { ...change.put, ...about } } : change;
}

const sameBook = (a: Required<ConflictBook>, b: Required<ConflictBook>): boolean =>
  sameList(a.open, b.open) && (a.told === b.told || JSON.stringify(a.told) === JSON.stringify(b.told));

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

function say(journal: Journal, put: Put, message: Message, now: Instant): void {
  for (const change of accept(journal, { message, key: null, re: null }, now)) put(change);
}

/** Decides what has lasted too long, when it has. Started again after a crash it goes on with the same times. */
export function watchConflicts(house: House, onError: (error: unknown) => void): () => void {
  const { journal, clock } = house;
  let cancel = () => {};
  let dueAt: Instant | null = null;
  const arm = () => {
    const settings = sessionOf(journal)?.conflicts ?? null;
    const due = settings === null ? null : nextDue(conflictBook(journal).open, settings);
    if (due === dueAt) return;
    cancel();
    dueAt = due;
    if (due !== null && settings !== null)
      cancel = clock.after(Math.max(0, due - clock.now()), () => decide(settings).catch(onError));
  };
  const decide = async (settings: ConflictSettings) => {
    dueAt = null;
    const woken = await journal.transact((put) => {
      const { open } = conflictBook(journal);
      const now = clock.now();
      return tell(
        journal,
        put,
        decideOpen(open, (agent) => plansOf(journal, agent), now, settings),
        now,
      );
    });
    for (const agent of woken) if (journal.lanes.has(agentLane(agent))) house.wake(agentLane(agent));
    arm();
  };
  const stop = journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) arm();
  });
  arm();
  return () => {
    stop();
    cancel();
  };
}
