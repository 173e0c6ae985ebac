import type { Change } from "../core/changes.ts";
import {
  type ConflictSettings,
  type Detection,
  decideOpen,
  detect,
  type InFlight,
  nextDue,
  type Plans,
} from "../core/conflicts/detect.ts";
import { type AgentId, agentLane, CONFLICT_LANE, type Instant, SUPERVISOR } from "../core/ids.ts";
import type { Message } from "../core/messages.ts";
import { accept } from "../core/publish.ts";
import type { Run } from "../core/run.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { sessionOf } from "./look.ts";

/** State of the lane `conflicts`. */
interface ConflictBook {
  readonly open: readonly InFlight[];
}

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
export function followUp(journal: Journal, put: Put, agent: AgentId, before: Plans | null, now: Instant): AgentId[] {
  const settings = sessionOf(journal)?.conflicts ?? null;
  const after = plansOf(journal, agent);
  if (settings === null || after === null || same(before, after)) return [];
  const open = journal.state<ConflictBook>(CONFLICT_LANE)?.open ?? [];
  return tell(journal, put, detect({ before, after, others: everyone(journal), open, now }, settings), open, now);
}

function* everyone(journal: Journal): Iterable<Plans> {
  for (const agent of journal.roster.keys()) {
    const plans = plansOf(journal, agent);
    if (plans !== null) yield plans;
  }
}

const same = (a: Plans | null, b: Plans): boolean => a !== null && a.files === b.files && a.intent === b.intent;

function tell(journal: Journal, put: Put, found: Detection, before: readonly InFlight[], now: Instant): AgentId[] {
  for (const { to, errors } of found.feedback)
    say(journal, put, { type: "agent.feedback", agent_id: to, payload: { from: SUPERVISOR, errors } }, now);
  for (const { text, between } of found.questions) {
    const question: Message = { type: "agent.question", agent_id: SUPERVISOR, payload: { question: text } };
    for (const change of accept(journal, { message: question, key: null, re: null }, now))
      put(
        change.row === "question" ? { ...change, put: { ...change.put, kind: "conflict", concerns: between } } : change,
      );
  }
  if (found.open.length !== before.length || found.open.some((each, i) => each !== before[i]))
    put(journal.laneChange(CONFLICT_LANE, found.open.length === 0 ? null : { open: found.open }));
  return found.feedback.map(({ to }) => to);
}

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
    const due = settings === null ? null : nextDue(journal.state<ConflictBook>(CONFLICT_LANE)?.open ?? [], settings);
    if (due === dueAt) return;
    cancel();
    dueAt = due;
    if (due !== null && settings !== null)
      cancel = clock.after(Math.max(0, due - clock.now()), () => decide(settings).catch(onError));
  };
  const decide = async (settings: ConflictSettings) => {
    dueAt = null;
    const woken = await journal.transact((put) => {
      const open = journal.state<ConflictBook>(CONFLICT_LANE)?.open ?? [];
      const now = clock.now();
      return tell(
        journal,
        put,
        decideOpen(open, (agent) => plansOf(journal, agent), now, settings),
        open,
        now,
      );
    });
    for (const agent of woken) if (journal.lanes.has(agentLane(agent))) house.wake(agentLane(agent));
    arm();
  };
  const stop = journal.onStored(arm);
  arm();
  return () => {
    stop();
    cancel();
  };
}
