import { addUsage, type Usage } from "../clis/events.ts";
import type { Told } from "../messages/cursors.ts";
import type { Lane, LaneRules } from "../record/lane.ts";
import type { AgentId, Commit, Instant, LaneKey, RunId } from "../text/ids.ts";
import { backupRef } from "../text/naming.ts";
import type { Saved } from "../worktrees/saved.ts";
import {
  type Assignment,
  type Ended,
  type NewAssignment,
  plannedAssignment,
  type Removal,
  readAssignment,
} from "./assignment.ts";

/** Everything that can happen to an assignment. Its state changes in no other way. */
export type AssignmentEvent =
  /** What a person or the session asks of it. */
  | { readonly type: "planned"; readonly plan: NewAssignment }
  /** `unfinished`: unless it had finished. `always`: in its conversation. `anew`: one that had finished, from its brief. */
  | { readonly type: "wanted.up"; readonly again: "unfinished" | "always" | "anew" }
  | { readonly type: "wanted.down" }
  | { readonly type: "wanted.gone"; readonly at: Instant; readonly keepWorktree: boolean }
  | { readonly type: "paused"; readonly until: AgentId | null }
  | { readonly type: "resumed" }
  /** A person, or a supervisor it trusts, has something more for it. */
  | { readonly type: "told-more" }
  /** The gates have sent its work back, or passed it. */
  | { readonly type: "sent-back" }
  | { readonly type: "verified" }
  /** What happened to its worktree. */
  | { readonly type: "worktree.missing" }
  | { readonly type: "worktree.ready" }
  | { readonly type: "worktree.doubted" }
  | { readonly type: "worktree.checked" }
  | { readonly type: "worktree.saved"; readonly saved: Saved }
  | { readonly type: "worktree.changed-after-save" }
  | { readonly type: "worktree.removed" }
  | { readonly type: "watch.warned"; readonly warning: string | null }
  | { readonly type: "commit.told"; readonly head: Commit }
  /** What happened to its process. */
  | {
      readonly type: "launched";
      readonly at: Instant;
      readonly run: RunId;
      readonly resumes: boolean;
      readonly told: Told | null;
      readonly opening: string | null;
      /** The conversation it was told to begin. */
      readonly begins: string | null;
    }
  /** Its CLI goes on with the conversation it was launched for. */
  | { readonly type: "taken-up" }
  | { readonly type: "relaunching" }
  | { readonly type: "briefed"; readonly run: RunId }
  | { readonly type: "conversation.named"; readonly id: string; readonly at: Instant }
  | { readonly type: "conversation.lost" }
  | { readonly type: "spent"; readonly usage: Usage }
  | { readonly type: "retrying"; readonly at: Instant; readonly reason: string }
  | { readonly type: "went-on" }
  | { readonly type: "warned"; readonly warnings: readonly string[]; readonly about: "worktree" | "start" }
  | { readonly type: "ending"; readonly ended: Ended }
  | { readonly type: "ended"; readonly ended: Ended }
  | { readonly type: "vanished" }
  | { readonly type: "failed"; readonly ended: Ended }
  | { readonly type: "removed" };

export const agentLane = (agent: AgentId): Lane<Assignment, AssignmentEvent> => ({
  key: `session/${agent}` as LaneKey,
  rules: RULES,
});

/** Whose lane it is; null for a lane of another kind. */
export const laneAgent = (key: LaneKey): AgentId | null =>
  key.startsWith("session/") ? (key.slice("session/".length) as AgentId) : null;

/** What comes too late, for an assignment that is gone, changes nothing. */
export function reduceAssignment(state: Assignment | null, event: AssignmentEvent): Assignment | null {
  if (event.type === "planned") return plannedAssignment(event.plan);
  if (event.type === "removed" || state === null) return null;
  const change = changeBy(state, event);
  const isNews = (Object.keys(change) as (keyof Assignment)[]).some((field) => change[field] !== state[field]);
  return isNews ? { ...state, ...change } : state;
}

const RULES: LaneRules<Assignment, AssignmentEvent> = {
  initial: null,
  read: readAssignment,
  reduce: reduceAssignment,
};

type Happening = Exclude<AssignmentEvent, { readonly type: "planned" | "removed" }>;

function changeBy(state: Assignment, event: Happening): Partial<Assignment> {
  switch (event.type) {
    case "wanted.up":
      return wantedAgain(state, event.again);
    case "wanted.down":
      return { wanted: "down" };
    case "wanted.gone":
      return { wanted: "gone", saved: null, removal: removalOf(state, event.at, event.keepWorktree) };
    case "paused":
      return { paused: true, pausedUntil: event.until };
    case "resumed":
      return { paused: false, pausedUntil: null };
    case "told-more":
      return { ...toldMore(state), sentBack: 0 };
    case "sent-back":
      return sentBack(state);
    case "verified":
      return { sentBack: 0 };
    case "worktree.missing":
      return { ready: false, warnings: [] };
    case "worktree.ready":
      return { ready: true };
    case "worktree.doubted":
      return { unchecked: true };
    case "worktree.checked":
      return { unchecked: false };
    case "worktree.saved":
      return { saved: event.saved };
    case "worktree.changed-after-save":
      return { saved: null, removal: state.removal && { ...state.removal, tries: state.removal.tries + 1 } };
    case "worktree.removed":
      return { removal: state.removal && { ...state.removal, cleared: true } };
    case "watch.warned":
      return { watchWarning: event.warning };
    case "commit.told":
      return { head: event.head };
    case "launched":
      return launched(state, event);
    case "relaunching":
      return { relaunched: true };
    case "briefed":
      return { briefed: event.run, opening: null, unconfirmed: null };
    case "taken-up":
      return { takenUp: true };
    case "conversation.named":
      return {
        conversation: event.id,
        conversationSince: sinceOf(state, event.id, event.at),
        takenUp: true,
        unconfirmed: null,
      };
    case "conversation.lost":
      return { conversation: null, unconfirmed: null, toldMore: state.toldMore || state.unconfirmed !== null };
    case "spent":
      return { usage: addUsage(state.usage, event.usage) };
    case "retrying":
      return { retrying: { since: event.at, reason: event.reason } };
    case "went-on":
      return { retrying: null };
    case "warned":
      return event.about === "worktree"
        ? { warnings: [...state.warnings, ...event.warnings] }
        : { startWarnings: [...state.startWarnings, ...event.warnings] };
    case "ending":
      return { ended: state.ended ?? event.ended };
    case "ended":
      return { live: null, retrying: null, ended: state.ended ?? afterTelling(state, event.ended) };
    case "vanished":
      return { live: null, retrying: null, ended: null };
    case "failed":
      return { live: null, ended: event.ended, wanted: state.wanted === "gone" ? "down" : state.wanted };
  }
}

/** One that has finished goes on; a command that cannot be told anything while it runs goes on once it has finished. */
function toldMore({ ended, live, cli }: Assignment): Partial<Assignment> {
  if (ended?.how === "ok") return { ended: null, toldMore: true };
  return live !== null && cli.protocol === "plain" ? { toldMore: true } : {};
}

/** One that has finished goes on with what was found, a few times: who cannot mend it by then needs a person. */
function sentBack(state: Assignment): Partial<Assignment> {
  if (state.ended?.how !== "ok" || state.wanted !== "up" || state.sentBack >= MOST_SENT_BACK) return {};
  return { ...toldMore(state), sentBack: state.sentBack + 1 };
}

const MOST_SENT_BACK = 3;

const afterTelling = ({ toldMore: more }: Assignment, ended: Ended): Ended | null =>
  more && ended.how === "ok" ? null : ended;

function launched(
  state: Assignment,
  { at, run, resumes, told, opening, begins }: Extract<AssignmentEvent, { type: "launched" }>,
): Partial<Assignment> {
  // In a pane it knows its brief already: what it was told is typed like any message.
  const briefed = state.terminal && state.toldMore && resumes ? run : state.briefed;
  const unconfirmed = resumes || opening !== null ? told : null;
  const launches = state.launches + 1;
  const named = begins === null ? {} : { conversation: begins, conversationSince: at };
  return { live: run, launches, resumes, takenUp: false, toldMore: false, unconfirmed, opening, briefed, ...named };
}

/**
 * Up again, unless it had finished its work. A model in pane 0 is never finished. A removal that was under way when the
 * power went goes on: what is saved and half gone is nobody's to bring up.
 */
function wantedAgain(state: Assignment, again: "unfinished" | "always" | "anew"): Partial<Assignment> {
  if (state.wanted === "gone") return {};
  const isFinished = state.ended?.how === "ok";
  return {
    ...(isFinished && again === "anew" && { conversation: null, briefed: null }),
    wanted: "up",
    paused: false,
    pausedUntil: null,
    ended: isFinished && again === "unfinished" ? state.ended : null,
    removal: null,
    relaunched: false,
    startWarnings: [],
    spentBefore: state.usage,
  };
}

/** A new backup each time: an earlier one, of an attempt that failed, is never overwritten. */
const removalOf = ({ agent }: Assignment, at: Instant, keepWorktree: boolean): Removal => ({
  ref: backupRef(agent, at),
  keepWorktree,
  tries: 0,
  cleared: false,
});

const sinceOf = ({ conversation, conversationSince }: Assignment, id: string, at: Instant): Instant =>
  id === conversation ? (conversationSince ?? at) : at;
