import type { Cli } from "../clis/cli.ts";
import { type EndHow, type Exit, NO_USAGE, type Usage } from "../clis/events.ts";
import { explain } from "../failure/explain.ts";
import type { Failure } from "../failure/failure.ts";
import type { Told } from "../messages/cursors.ts";
import type { AgentId, Branch, Commit, Instant, RunId } from "../text/ids.ts";
import type { Saved } from "../worktrees/saved.ts";
import type { SetUp } from "../worktrees/set-up.ts";

/** One agent's work on its branch: what is wanted of it, and what came of it. State of the lane `session/<agent>`. */
export interface Assignment {
  readonly agent: AgentId;
  /** Its place in the session, from 0: the order in which agents are shown. */
  readonly position: number;
  readonly branch: Branch;
  readonly cli: Cli;
  readonly session: string;
  readonly worktree: string;
  /** Where our new branch starts; null when the branch was there before us. */
  readonly from: Commit | null;
  /** What we made, and therefore may remove. */
  readonly ours: { readonly branch: boolean; readonly worktree: boolean };
  readonly setUp: SetUp;
  readonly brief: string;
  /** In a pane of tmux, where it is typed to; or headless, over its own channel. */
  readonly terminal: boolean;
  readonly port: number | null;
  readonly log: string;
  readonly wanted: "up" | "down" | "gone";
  readonly ready: boolean;
  /** It goes on with what it has, and is told nothing. */
  readonly paused: boolean;
  /** Whose next commit ends the pause. */
  readonly pausedUntil: AgentId | null;
  /** The run that was launched and has not ended as far as we know. */
  readonly live: RunId | null;
  readonly launches: number;
  /** It was launched a second time because a bare shell stood where it should have been. */
  readonly relaunched: boolean;
  /** The run that has been given its brief; headless ones get it with their launch. */
  readonly briefed: RunId | null;
  readonly conversation: string | null;
  readonly conversationSince: Instant | null;
  /** The present launch continues an earlier conversation, and whether its CLI has said that it did. */
  readonly resumes: boolean;
  readonly takenUp: boolean;
  /** It had finished and was told more: its next launch begins with what it was told. */
  readonly toldMore: boolean;
  /** How often the gates have let it go on since a person last spoke to it, or it was verified. */
  readonly sentBack: number;
  /** What is typed as the first prompt of the present run instead of the brief alone, until it has it. */
  readonly opening: string | null;
  /** What the present launch began with, until its CLI has taken the conversation up. */
  readonly unconfirmed: Told | null;
  /** What had been spent when it was last asked for: its budget counts from there. */
  readonly spentBefore: Usage;
  /** The last commit of its branch that the others were told of. */
  readonly head: Commit | null;
  /** Paths its spec says are its own. */
  readonly owned: readonly string[];
  readonly ended: Ended | null;
  readonly removal: Removal | null;
  readonly saved: Saved | null;
  /** Its supervisor did not end by itself: after a power cut, files that were written last may be empty. */
  readonly unchecked: boolean;
  /** About its worktree, for as long as it has this one. */
  readonly warnings: readonly string[];
  /** About its present start: with the next one they are over. */
  readonly startWarnings: readonly string[];
  /** Why its worktree cannot be watched, as long as that is so. */
  readonly watchWarning: string | null;
  readonly usage: Usage;
  /** Set while its CLI says that it tries again what its model has refused. */
  readonly retrying: { readonly since: Instant; readonly reason: string } | null;
}

export interface Removal {
  readonly ref: string;
  readonly keepWorktree: boolean;
  readonly tries: number;
  /** The worktree and git's record of it are gone. */
  readonly cleared: boolean;
}

export interface Ended {
  readonly how: EndHow | "stopped";
  readonly note: string;
  readonly at: Instant;
  /** Set when it was our doing that failed, not the agent's. */
  readonly failure: Failure | null;
}

export type NewAssignment = Pick<
  Assignment,
  | "agent"
  | "position"
  | "branch"
  | "cli"
  | "session"
  | "worktree"
  | "from"
  | "ours"
  | "setUp"
  | "brief"
  | "terminal"
  | "port"
  | "log"
> &
  Partial<Pick<Assignment, "owned" | "ready">>;

/** What is so of every assignment before anything has happened to it. */
const NEW = {
  wanted: "up",
  ready: false,
  paused: false,
  pausedUntil: null,
  live: null,
  launches: 0,
  relaunched: false,
  briefed: null,
  conversation: null,
  conversationSince: null,
  resumes: false,
  takenUp: false,
  toldMore: false,
  sentBack: 0,
  opening: null,
  unconfirmed: null,
  spentBefore: NO_USAGE,
  head: null,
  owned: [],
  ended: null,
  removal: null,
  saved: null,
  unchecked: false,
  warnings: [],
  startWarnings: [],
  watchWarning: null,
  usage: NO_USAGE,
  retrying: null,
} as const;

export const plannedAssignment = (plan: NewAssignment): Assignment => ({ ...NEW, ...plan });

/** Also what an older banksman has stored, which did not know every field. */
export const readAssignment = (stored: unknown): Assignment => ({ ...NEW, ...(stored as Assignment) });

/** Wanted, and not yet running with its brief. */
export const isComingUp = ({ wanted, live, ended, terminal, briefed }: Assignment): boolean =>
  wanted === "up" && ended === null && (live === null || (terminal && briefed !== live));

/** Unique for ever in one repository and unlike any in another: leftovers of a dead supervisor are found by it. */
export const runId = (assignment: Assignment, now: Instant): RunId =>
  `${assignment.session}.${assignment.agent}.${now.toString(36)}` as RunId;

/** What a process's exit means. Success needs the announced end, or for a plain command the exit code 0. */
export function endedBy(exit: Exit, cli: Cli): Ended {
  const told = exit.end;
  if (told !== null && told.how === "ok" && (exit.code === 0 || exit.dismissed === true))
    return { how: "ok", note: told.message, at: exit.at, failure: null };
  if (told !== null)
    return {
      how: told.how === "ok" ? "error" : told.how,
      note: told.message || exitWords(exit),
      at: exit.at,
      failure: null,
    };
  if (!exit.announces && exit.code === 0)
    return { how: "ok", note: `${cli.name} finished`, at: exit.at, failure: null };
  return { how: "error", note: exitWords(exit), at: exit.at, failure: null };
}

function exitWords(exit: Exit): string {
  const how = exit.signal !== null ? `killed by ${exit.signal}` : `exit code ${exit.code}`;
  const silent = exit.announces && exit.code === 0 ? " without saying that it was done" : "";
  return `${how}${silent}${exit.lastLine === "" ? "" : `: ${exit.lastLine}`}`;
}

export function endedByFailure(failure: Failure, at: Instant): Ended {
  return { how: "error", note: explain(failure).message, at, failure };
}

export const endedByUs = (note: string, at: Instant): Ended => ({ how: "stopped", note, at, failure: null });
