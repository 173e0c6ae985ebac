import type { Assignment } from "../../core/agents/assignment.ts";
import type { AssignmentSettled } from "../../core/agents/effects.ts";
import type { AssignmentFacts } from "../../core/agents/facts.ts";
import { freshCursor } from "../../core/messages/cursors.ts";
import { isOpen } from "../../core/messages/questions.ts";
import { newcomer } from "../../core/messages/roster.ts";
import { sessionOf } from "../../core/session/read-session.ts";
import { SUPERVISOR } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording } from "../journal/recording.ts";
import type { Polling } from "../messages/polling.ts";
import type { AgentProcesses } from "./agent-processes.ts";

export type AssignmentSeen = Pick<AssignmentFacts, "worktree">;

/** What has to be looked at outside: it takes time, and is done before deciding. */
export async function observeAssignment({ git }: Pick<Ports, "git">, assignment: Assignment): Promise<AssignmentSeen> {
  // A supervising model works in the main checkout, which is not ours to make.
  const { agent, worktree, branch } = assignment;
  return { worktree: agent === SUPERVISOR ? "filled" : await git.worktreeState(worktree, branch) };
}

interface Memory extends Recording {
  readonly processes: AgentProcesses;
  readonly polling: Polling;
}

/** What was seen, with what memory holds at this very moment: called inside the transaction that decides on it. */
export function assignmentFacts(
  { journal, clock, processes, polling }: Memory,
  { agent }: Assignment,
  seen: AssignmentSeen,
  settled: readonly AssignmentSettled[],
): AssignmentFacts {
  const mine = processes.get(agent);
  const now = clock.now();
  const questions = journal.questions(agent);
  return {
    ...seen,
    now,
    settled,
    alive: mine !== null && mine.heard.exit === null ? mine.run : null,
    exit: mine?.heard.exit ?? null,
    events: [...(mine?.heard.events ?? [])],
    questions: questions.filter(({ kind }) => kind === "approval"),
    asked: questions.filter((question) => question.kind !== "approval" && isOpen(question)),
    head: journal.head,
    signed: mine !== null && mine.heard.lastSign !== null,
    nextQuestion: journal.nextQuestion,
    allowed: sessionOf(journal)?.allowed ?? [],
    cursor: journal.cursor(agent) ?? freshCursor(agent),
    newest: journal.waking.get(agent) ?? 0,
    listens: mine?.process.listens === true && !polling.has(agent),
    needsPerson: mine?.process.needsPerson ?? null,
    at: mine?.process.at ?? null,
    resting: mine?.process.resting === true,
    roster: journal.entry(agent) ?? newcomer(agent, now, journal.head),
  };
}
