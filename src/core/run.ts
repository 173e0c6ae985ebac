import type { Approval, ChannelName } from "./clis/kind.ts";
import type { Saved, SetUp } from "./effects.ts";
import { type EndHow, type Exit, NO_USAGE, type Usage } from "./events.ts";
import { explain } from "./explain.ts";
import type { Failure } from "./failure.ts";
import type { AgentId, Branch, Commit, Instant, RunId } from "./ids.ts";

/** How an agent's program is started: resolved once from the config, and recorded, so that a recovery starts the same. */
export interface Cli {
  readonly name: string;
  readonly argv: readonly string[];
  /** `events`: speaks our JSON lines. `plain`: any command; its exit code is its word. Else the name of one we know. */
  readonly protocol: string;
  /** Names of variables it gets from the user's environment besides the common ones. Values are never recorded. */
  readonly env: readonly string[];
  readonly resumeArgs: readonly string[];
  /** What it may do without asking; `manual` where nothing is said. */
  readonly approval?: Approval;
  /** The way it is run headless, where the user chose one. */
  readonly channel?: ChannelName | null;
  readonly limits?: Limits;
}

/** Where a run is ended by us: no CLI gives up by itself on a model that does not answer. Null is no limit. */
export interface Limits {
  /** Without any output, while it is not waiting for somebody. */
  readonly idleSeconds: number | null;
  /** At work, waiting for somebody not counted. */
  readonly workSeconds: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** One agent's work on its branch: what is wanted of it, and what came of it. State of the lane `session/<agent>`. */
export interface Run {
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
  readonly pausedUntil?: AgentId | null;
  /** The run that was launched and has not ended as far as we know. */
  readonly live: RunId | null;
  readonly launches: number;
  /** It was launched a second time because a bare shell stood where it should have been. */
  readonly relaunched?: boolean;
  /** The run that has been given its brief; headless ones get it with their launch. */
  readonly briefed: RunId | null;
  readonly conversation: string | null;
  readonly conversationSince?: Instant;
  /** The present launch takes up an earlier conversation, and whether its CLI has said that it did. */
  readonly resumes?: boolean;
  readonly takenUp?: boolean;
  /** What had been spent when it was last asked for: its budget counts from there. */
  readonly spentBefore?: Usage;
  /** The last commit of its branch that the others were told of. */
  readonly head?: Commit;
  /** Paths its spec says are its own. */
  readonly owned?: readonly string[];
  readonly ended: Ended | null;
  readonly removal: Removal | null;
  readonly saved: Saved | null;
  readonly warnings: readonly string[];
  /** Why its worktree cannot be watched, as long as that is so. */
  readonly watchWarning?: string | null;
  readonly usage: Usage;
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

export type NewRun = Pick<
  Run,
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
  | "owned"
>;

export function plannedRun(plan: NewRun): Run {
  return {
    ...plan,
    wanted: "up",
    ready: false,
    paused: false,
    live: null,
    launches: 0,
    briefed: null,
    conversation: null,
    ended: null,
    removal: null,
    saved: null,
    warnings: [],
    usage: NO_USAGE,
  };
}

/** Unique for ever in one repository and unlike any in another: leftovers of a dead supervisor are found by it. */
export const runId = (run: Run, now: Instant): RunId => `${run.session}.${run.agent}.${now.toString(36)}` as RunId;

/** What a process's exit means. Success needs the announced end, or for a plain command the exit code 0. */
export function endedBy(exit: Exit, cli: Cli): Ended {
  if (exit.closed) return { how: "stopped", note: "its pane was closed", at: exit.at, failure: null };
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

/** What a second `start` asks of a run: up again, unless it had finished its work. */
export function wantedAgain(run: Run): Run {
  const finished = run.ended?.how === "ok";
  const spentBefore = run.usage;
  return {
    ...run,
    wanted: "up",
    paused: false,
    pausedUntil: null,
    ended: finished ? run.ended : null,
    removal: null,
    relaunched: false,
    spentBefore,
  };
}
