import { isRateLimit } from "../clis/events.ts";
import { isAtPane, type Phase, type PhaseCode, phase } from "../messages/phase.ts";
import type { Question } from "../messages/questions.ts";
import { type AgentState, isFinished, move, type RosterEntry } from "../messages/roster.ts";
import { type Instant, SUPERVISOR } from "../text/ids.ts";
import type { Assignment, Ended } from "./assignment.ts";
import type { AssignmentEffect, AssignmentEffectType } from "./effects.ts";
import type { NeedsPerson } from "./needs-person.ts";

interface Scene {
  readonly assignment: Assignment;
  readonly effects: readonly AssignmentEffect[];
  readonly waiting: Question | null;
  readonly signed: boolean;
  readonly needsPerson: NeedsPerson | null;
  readonly at: "working" | "waiting" | "ready" | null;
  readonly now: Instant;
}

/** The roster row as far as the process itself tells it; what the agent says in messages is the roster's own affair. */
export function describeAssignment(scene: Scene, entry: RosterEntry): RosterEntry {
  const { assignment, now } = scene;
  const [state, evidence, own] = describe(scene, entry);
  const phase = retryPhase(assignment, own);
  const branch = assignment.agent === SUPERVISOR ? null : assignment.branch;
  // What stays as it was stays in the words, and with the source, that it came with.
  const stays = state === entry.state && evidence === entry.evidence;
  const row = { ...(stays ? entry : move(entry, state, now, evidence)), phase, branch, cli: assignment.cli.name };
  return same(row, entry) ? entry : row;
}

/** That its model refuses it is said beside what it is at, unless we do something to it or it waits for somebody. */
function retryPhase({ retrying, live }: Assignment, own: Phase | null): Phase | null {
  const isFree = own === null || own.code === "said" || RETRIES.has(own.code);
  if (retrying !== null && live !== null && isFree)
    return phase(isRateLimit(retrying.reason) ? "rate-limited" : "retrying");
  return own !== null && RETRIES.has(own.code) ? null : own;
}

const RETRIES: ReadonlySet<PhaseCode> = new Set(["rate-limited", "retrying"]);

type Description = readonly [state: AgentState, evidence: string, phase: Phase | null];

function describe({ assignment, effects, waiting, signed, needsPerson, at }: Scene, entry: RosterEntry): Description {
  const next = effects[0]?.type;
  // What a failed start has made is taken back; why it failed is what people have to know.
  if (next === "worktree.undo" && assignment.ended !== null) return ["failed", assignment.ended.note, null];
  if (next !== undefined && next !== "agent.tell" && next !== "agent.answer") return describeNext(next, entry);
  if (assignment.ended !== null) return afterwards(assignment.ended, entry);
  if (assignment.wanted !== "up") return ["stopped", "stopped", null];
  if (waiting !== null) return ["waiting", waiting.text, phase("permission")];
  if (needsPerson !== null && assignment.live !== null) return ["waiting", needsPerson.text, phase(needsPerson.at)];
  if (entry.phase?.code === "permission") return ["working", "answered", null];
  if (isAtPane(entry.phase?.code))
    return assignment.briefed === assignment.live
      ? ["working", "answered in its pane", null]
      : ["starting", "launched", phase("no-prompt")];
  if (assignment.live === null) return [entry.state, entry.evidence, entry.phase];
  // What it said of itself in a message stands; between working and idle its screen or its hooks decide.
  if (assignment.terminal && at === "ready" && entry.state === "working") return ["idle", "at its prompt", null];
  if (assignment.terminal && at === "working" && entry.state === "idle") return ["working", "at work", null];
  if (entry.state !== "starting") return [entry.state, entry.evidence, isUnderWay(entry.phase) ? null : entry.phase];
  if (assignment.terminal)
    return assignment.briefed === assignment.live
      ? ["working", "has its brief", null]
      : ["starting", "launched", phase("no-prompt")];
  const heard = assignment.cli.protocol === "plain" || assignment.conversation !== null || signed;
  return heard ? ["working", "running", null] : ["starting", "launched", phase("no-sign")];
}

/** What is done to one that has ended, or about to, does not change what became of its work. */
function describeNext(
  next: Exclude<AssignmentEffectType, "agent.tell" | "agent.answer">,
  entry: RosterEntry,
): Description {
  const state = PHASE_STATE[next];
  return [state ?? entry.state, state === undefined ? entry.evidence : phase(next).text, phase(next)];
}

/** What we were doing to it: over, once nothing of it is asked for any more. */
const isUnderWay = (phase: Phase | null): boolean => phase !== null && UNDER_WAY.has(phase.code);

const UNDER_WAY: ReadonlySet<PhaseCode> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.mend",
  "worktree.set-up",
  "worktree.undo",
  "agent.launch",
  "agent.brief",
  "agent.end",
  "agent.dismiss",
  "work.save",
  "worktree.remove",
  "branch.delete",
]);

const PHASE_STATE: Partial<Record<AssignmentEffectType, AgentState>> = {
  "worktree.add": "starting",
  "worktree.fill": "starting",
  "worktree.mend": "starting",
  "worktree.set-up": "starting",
  "agent.launch": "starting",
  "agent.brief": "starting",
};

function afterwards(ended: Ended, entry: RosterEntry): Description {
  if (ended.how === "stopped") return ["stopped", ended.note, null];
  if (ended.how !== "ok") return ["failed", ended.note, null];
  // What became of the work describes the agent best after a clean end.
  const isJudged = isFinished(entry.state) || entry.state === "bounced";
  return isJudged ? [entry.state, entry.evidence, null] : ["done", ended.note, null];
}

function same(a: RosterEntry, b: RosterEntry): boolean {
  return (Object.keys(a) as (keyof RosterEntry)[]).every((key) => a[key] === b[key]);
}
