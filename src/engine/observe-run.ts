import { freshCursor } from "../core/cursors.ts";
import type { RunFacts } from "../core/decide-run.ts";
import type { Settled } from "../core/effects.ts";
import { SUPERVISOR } from "../core/ids.ts";
import { isOpen } from "../core/questions.ts";
import { newcomer } from "../core/roster.ts";
import type { Run } from "../core/run.ts";
import type { House } from "./house.ts";

type Seen = Pick<RunFacts, "worktree">;

/** What has to be looked at outside: it takes time, and is done before deciding. */
export async function observeRun({ git }: House, run: Run): Promise<Seen> {
  // A supervising model stands in the main checkout, which is not ours to make.
  return { worktree: run.agent === SUPERVISOR ? "filled" : await git.worktreeState(run.worktree) };
}

/** What was seen, with what memory holds at this very moment: called inside the transaction that decides on it. */
export function runFacts(house: House, run: Run, seen: Seen, settled: readonly Settled[]): RunFacts {
  const { journal, clock, living, polling } = house;
  const mine = living.get(run.agent);
  const now = clock.now();
  return {
    ...seen,
    now,
    settled,
    alive: mine !== null && mine.heard.exit === null ? mine.run : null,
    exit: mine?.heard.exit ?? null,
    events: [...(mine?.heard.events ?? [])],
    questions: journal.questions(run.agent).filter(({ kind }) => kind === "approval"),
    asked: journal.questions(run.agent).filter((question) => question.kind !== "approval" && isOpen(question)),
    head: journal.head,
    signed: mine !== null && mine.heard.lastSign !== null,
    nextQuestion: journal.nextQuestion,
    cursor: journal.cursor(run.agent) ?? freshCursor(run.agent),
    newest: journal.waking.get(run.agent) ?? 0,
    listens: mine?.process.listens === true && !polling.has(run.agent),
    stand: mine?.process.stand ?? null,
    at: mine?.process.at ?? null,
    resting: mine?.process.resting === true,
    roster: journal.entry(run.agent) ?? newcomer(run.agent, now, journal.head),
  };
}
