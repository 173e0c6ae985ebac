import type { Message } from "../messages/messages.ts";
import { alreadyAsked, isOpen, withdrawn } from "../messages/questions.ts";
import { subject } from "../messages/roster.ts";
import type { JournalView } from "../record/journal-view.ts";
import { send } from "../record/lane.ts";
import { type Saying, saying } from "../record/publish.ts";
import type { Reaction, Step } from "../record/step.ts";
import { type AgentId, type Instant, SUPERVISOR } from "../text/ids.ts";
import {
  type ConflictSettings,
  decideOpen,
  detectFinished,
  detectStanding,
  type Escalation,
  isOver,
  nextDue,
} from "./detect.ts";
import { type ForeseeFacts, foresee, settle } from "./foresee.ts";
import { CONFLICT_LANE, type ConflictsFound, type OpenConflicts } from "./open-conflicts.ts";
import type { Plans } from "./plans.ts";
import { everyonesPlans, plansOf } from "./plans-of.ts";

/**
 * What a message means for the others, in the transaction that stores it: whoever now shares what they did not share
 * before is told, and nobody can see the one without the other. Null: nothing.
 */
export function followNews(
  view: JournalView,
  message: Message,
  before: Plans | null,
  { settings, unclaimed }: Warning,
  now: Instant,
): Reaction | null {
  const agent = subject(message);
  const after = agent === null ? null : plansOf(view, agent);
  const finished = finishedBy(message);
  if (after === null || (samePlans(before, after) && finished.length === 0)) return null;
  const known = view.state(CONFLICT_LANE);
  const others = [...everyonesPlans(view), ...unclaimed];
  const cause = { before, after, others, open: known?.open ?? [], now };
  const { open, ...found } = detectFinished(cause, finished, settings);
  const event: ConflictsFound = { type: "found", open, told: known?.told ?? [] };
  return { ...telling(view, { ...found, open }, now), sends: [send(CONFLICT_LANE, event)] };
}

/** How agents are warned, and what belongs to specs that nobody works on. */
export interface Warning {
  readonly settings: ConflictSettings;
  readonly unclaimed: readonly Plans[];
}

/** What stands between agents at this moment, for a session in which they are warned of each other from now on. */
export function followStanding(view: JournalView, { settings, unclaimed }: Warning, now: Instant): Reaction {
  const known = view.state(CONFLICT_LANE);
  const plans = [...everyonesPlans(view), ...unclaimed];
  const { open, ...found } = detectStanding(plans, known?.open ?? [], now, settings);
  const event: ConflictsFound = { type: "found", open, told: known?.told ?? [] };
  return { ...telling(view, { ...found, open }, now), sends: [send(CONFLICT_LANE, event)] };
}

const finishedBy = (message: Message): readonly string[] =>
  message.type === "agent.artifact" && message.payload.anew !== true ? message.payload.modified_files : [];

const samePlans = (a: Plans | null, b: Plans): boolean => a !== null && a.files === b.files && a.intent === b.intent;

/** What the lane `conflicts` looks at. */
export interface ConflictsFacts {
  readonly now: Instant;
  readonly view: JournalView;
  /** Null where agents are not warned of each other. */
  readonly settings: ConflictSettings | null;
  /** What merging everybody's present work has shown; null where it was not tried, or not again since the last tick. */
  readonly predictions: Omit<ForeseeFacts, "before"> | null;
}

/** Tells what merging everything now has shown, and decides what has lasted too long. */
export function decideConflicts(known: OpenConflicts, facts: ConflictsFacts): Step<ConflictsFound, never> {
  const { now, view, settings, predictions } = facts;
  if (settings === null) return { events: [], effects: [] };
  const foreseen = predictions === null ? NOTHING : foresee({ ...predictions, before: known.told });
  const settled =
    predictions === null || settings.settleByTrialMerge === false
      ? { open: known.open, feedback: [] }
      : settle(known.open, predictions.pairs, now);
  const due = nextDue(settled.open, settings);
  const decided =
    due === null || due > now
      ? { open: settled.open, feedback: [], questions: [] }
      : decideOpen(settled.open, (agent) => plansOf(view, agent), now, settings);
  const feedback = [...foreseen.feedback, ...settled.feedback, ...decided.feedback];
  const isHere = (agent: string) => view.entry(agent as AgentId) !== null;
  const found = { ...decided, feedback: feedback.filter(({ to }) => isHere(to)) };
  // Of those who have gone meanwhile nobody was told: whoever comes next by their names has yet to hear it.
  const told = foreseen.told.filter(({ between: [a, b], base }) => isHere(a) && (base || isHere(b)));
  return {
    events: [{ type: "found", open: decided.open, told: predictions === null ? known.told : told }],
    effects: [],
    wakeAt: nextDue(decided.open, settings),
    ...telling(view, found, now),
  };
}

const NOTHING = { feedback: [], told: [] } as const;

interface Found {
  readonly feedback: readonly { readonly to: AgentId; readonly errors: readonly string[] }[];
  readonly questions: readonly Escalation[];
  readonly open: OpenConflicts["open"];
}

/** Questions whose conflict is over are taken back. */
function telling(view: JournalView, { feedback, questions, open }: Found, now: Instant): Reaction {
  const pending = [...view.openQuestions.values()];
  const over = pending.filter((question) => isOpen(question) && isOver(question, open));
  return {
    says: [
      ...feedback.map(({ to, errors }) =>
        saying({ type: "agent.feedback", agent_id: to, payload: { from: SUPERVISOR, errors } }),
      ),
      // What a person is asked already is not asked a second time.
      ...questions.filter(({ text }) => !alreadyAsked(pending, SUPERVISOR, text)).map(asking),
    ],
    changes: over.map((question) => ({ row: "question", put: withdrawn(question, now) })),
  };
}

/** Asked in the supervisor's name, and for it to read: by default nobody's own question is news to it. */
const asking = ({ text, between, paths }: Escalation): Saying => ({
  ...saying({ type: "agent.question", agent_id: SUPERVISOR, payload: { question: text } }),
  to: [SUPERVISOR],
  about: { kind: "conflict", concerns: between, ...(paths !== undefined && { paths }) },
});
