import type { AgentEvent, Exit } from "../clis/events.ts";
import type { Cursor } from "../messages/cursors.ts";
import type { Question } from "../messages/questions.ts";
import type { RosterEntry } from "../messages/roster.ts";
import type { Instant, RunId } from "../text/ids.ts";
import type { AssignmentSettled } from "./effects.ts";
import type { NeedsPerson } from "./needs-person.ts";

/** What was observed about an assignment this tick, and what has happened to it since the last one. */
export interface AssignmentFacts {
  readonly now: Instant;
  /** `empty` is a worktree whose checkout has not finished: git writes the index last. `broken` is one to be mended. */
  readonly worktree: "absent" | "broken" | "empty" | "filled";
  /** The run whose process lives now, as our child. */
  readonly alive: RunId | null;
  readonly exit: Exit | null;
  readonly events: readonly AgentEvent[];
  readonly settled: readonly AssignmentSettled[];
  /** This agent's permission questions that are open, or answered and not yet handed over. */
  readonly questions: readonly Question[];
  /** Its other open questions. */
  readonly asked: readonly Question[];
  readonly nextQuestion: number;
  /** Commands a person has allowed for the whole session. */
  readonly allowed: readonly string[];
  /** The last message of the journal. */
  readonly head: number;
  /** Whether its process has shown any sign of life. */
  readonly signed: boolean;
  readonly cursor: Cursor;
  /** The highest seq in its inbox that should wake it. */
  readonly newest: number;
  /** Whether it can be told something over its channel at this moment. */
  readonly listens: boolean;
  /** What its screen shows it doing. */
  readonly at: "working" | "waiting" | "ready" | null;
  /** Its turn is over, and it waits for another prompt. */
  readonly resting: boolean;
  /** Set where it cannot go on without a person at its pane. */
  readonly needsPerson: NeedsPerson | null;
  readonly roster: RosterEntry;
}
