import type { Effect, EffectType } from "./effects.ts";
import { type Instant, SUPERVISOR } from "./ids.ts";
import type { Question } from "./questions.ts";
import { type AgentState, move, type RosterEntry } from "./roster.ts";
import type { Ended, Run } from "./run.ts";
import { isStand, type Stand } from "./stand.ts";

/** The phase of a process that runs and has not said a word. */
export const UNSIGNED = "waiting for its first sign";
/** The phase of one on a terminal that is not at its prompt yet. */
export const UNPROMPTED = "waiting for its prompt";

interface Scene {
  readonly run: Run;
  readonly effects: readonly Effect[];
  readonly waiting: Question | null;
  readonly signed: boolean;
  readonly stand: Stand | null;
  readonly at: "working" | "waiting" | "ready" | null;
  readonly now: Instant;
}

/** The roster row as far as the process itself tells it; what the agent says in messages is the roster's own affair. */
export function describeRun(scene: Scene, entry: RosterEntry): RosterEntry {
  const { run, now } = scene;
  const [state, evidence, phase] = describe(scene, entry);
  const branch = run.agent === SUPERVISOR ? null : run.branch;
  const row = { ...move(entry, state, now, evidence), phase, branch, cli: run.cli.name };
  return same(row, entry) ? entry : row;
}

type Description = readonly [state: AgentState, evidence: string, phase: string | null];

function describe({ run, effects, waiting, signed, stand, at }: Scene, entry: RosterEntry): Description {
  const next = effects[0]?.type ?? null;
  if (next !== null && PHASES[next] !== undefined)
    return [PHASE_STATE[next] ?? entry.state, PHASES[next], PHASES[next]];
  if (run.ended !== null) return afterwards(run.ended, entry);
  if (run.wanted !== "up") return ["stopped", "stopped", null];
  if (waiting !== null) return ["waiting", waiting.text, "permission"];
  if (stand !== null && run.live !== null) return ["waiting", stand.text, stand.at];
  if (entry.phase === "permission") return ["working", "answered", null];
  if (isStand(entry.phase))
    return run.briefed === run.live ? ["working", "answered in its pane", null] : ["starting", "launched", UNPROMPTED];
  if (run.live === null) return [entry.state, entry.evidence, entry.phase];
  // What it said of itself in a message stands; between working and idle its screen or its hooks decide.
  if (run.terminal && at === "ready" && entry.state === "working") return ["idle", "at its prompt", null];
  if (run.terminal && at === "working" && entry.state === "idle") return ["working", "at work", null];
  if (entry.state !== "starting") return [entry.state, entry.evidence, isUnderWay(entry.phase) ? null : entry.phase];
  if (run.terminal)
    return run.briefed === run.live ? ["working", "has its brief", null] : ["starting", "launched", UNPROMPTED];
  const heard = run.cli.protocol === "plain" || run.conversation !== null || signed;
  return heard ? ["working", "running", null] : ["starting", "launched", UNSIGNED];
}

const PHASES: Partial<Record<EffectType, string>> = {
  "worktree.add": "adding the worktree",
  "worktree.fill": "checking out",
  "worktree.set-up": "setting up",
  "worktree.undo": "taking back",
  "agent.launch": "launching",
  "agent.brief": "giving it its brief",
  "agent.end": "stopping",
  "agent.dismiss": "finishing",
  "work.save": "saving its work",
  "worktree.remove": "removing the worktree",
  "branch.delete": "deleting the branch",
};

/** What we were doing to it: over, once nothing of it is asked for any more. */
const isUnderWay = (phase: string | null): boolean => phase !== null && Object.values(PHASES).includes(phase);

const PHASE_STATE: Partial<Record<EffectType, AgentState>> = {
  "worktree.add": "starting",
  "worktree.fill": "starting",
  "worktree.set-up": "starting",
  "agent.launch": "starting",
  "agent.brief": "starting",
  "worktree.undo": "failed",
};

/**
 * What became of the work still describes the agent best after a clean end. That it had committed does not: whether the
 * commit or the end is seen first is chance.
 */
const REPORTED: ReadonlySet<AgentState> = new Set(["verified", "done", "landed"]);

function afterwards(ended: Ended, entry: RosterEntry): Description {
  if (ended.how === "stopped") return ["stopped", ended.note, null];
  if (ended.how !== "ok") return ["failed", ended.note, null];
  return REPORTED.has(entry.state) ? [entry.state, entry.evidence, null] : ["done", ended.note, null];
}

function same(a: RosterEntry, b: RosterEntry): boolean {
  return (Object.keys(a) as (keyof RosterEntry)[]).every((key) => a[key] === b[key]);
}
