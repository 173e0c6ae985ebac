import type { Assignment } from "../agents/assignment.ts";
import type { ConflictSettings } from "../conflicts/detect.ts";
import type { Strategy } from "../landing/landing.ts";
import type { Lane } from "../record/lane.ts";
import type { Branch, Instant, LaneKey } from "../text/ids.ts";
import type { Placement } from "../text/naming.ts";
import type { Arrangement } from "./layout.ts";

/** State of the lane `session`: the one session a repository can have. Its agents are lanes of their own. */
export interface Session {
  readonly name: string;
  readonly project: string;
  readonly root: string;
  /** The branch the agents started from, and where their work is to land. */
  readonly base: Branch;
  readonly placement: Placement;
  /** How its panes lie in tmux; null for a session without. */
  readonly arrangement: Arrangement | null;
  /** Set where agents are warned of each other: in a session with a supervisor. */
  readonly conflicts: ConflictSettings | null;
  /** Whether a commit tells the supervisor to verify it. */
  readonly nudge: boolean;
  /** Whether each commit is verified at once, and how verified work lands. */
  readonly verify: boolean;
  readonly land: SessionLand;
  readonly createdAt: Instant;
  /** The last message before it: what was said earlier is not this session's. */
  readonly after: number;
  /** Whether agents can reach the broker. */
  readonly broker: boolean;
  /** Commands a person has allowed for as long as it lasts, to the letter. */
  readonly allowed: readonly string[];
  /** The paths that belong to open specs, by branch; also of those that no agent here works on. */
  readonly owned: Readonly<Record<string, readonly string[]>>;
  readonly status: "active" | "paused" | "stopped";
}

export interface SessionLand {
  readonly mode: "manual" | "auto" | "pr";
  readonly strategy: Strategy;
  /** Null for the session's base. */
  readonly target: string | null;
}

export type SessionEvent =
  | { readonly type: "begun"; readonly session: Session }
  | { readonly type: "status"; readonly status: Session["status"] }
  /** Started again: what the command line and the config say now holds from here on. */
  | {
      readonly type: "recovered";
      readonly as: Pick<Session, "arrangement" | "conflicts" | "nudge" | "broker" | "verify" | "land" | "owned">;
    }
  | { readonly type: "allowed"; readonly command: string }
  | { readonly type: "ended" };

/** What sessions of older journals did not say. */
const UNSAID = {
  conflicts: null,
  nudge: true,
  after: 0,
  broker: true,
  allowed: [],
  owned: {},
  verify: true,
  land: { mode: "manual", strategy: "train", target: null },
} as const;

/** It decides nothing by itself: its agents' lanes and the commands do. */
export const SESSION_LANE: Lane<Session, SessionEvent> = {
  key: "session" as LaneKey,
  rules: {
    initial: null,
    read: (stored) => ({ ...UNSAID, ...(stored as Session) }),
    reduce(state, event) {
      if (event.type === "begun") return event.session;
      if (event.type === "ended" || state === null) return null;
      if (event.type === "recovered") return { ...state, ...event.as, status: "active" };
      if (event.type === "allowed")
        return state.allowed.includes(event.command) ? state : { ...state, allowed: [...state.allowed, event.command] };
      return state.status === event.status ? state : { ...state, status: event.status };
    },
  },
};

/** What is so now, whatever was recorded: an active session none of whose agents could run is a stopped one. */
export type EffectiveStatus = "active" | "paused" | "stopped" | "none";

/** `alive`: a supervisor runs, or an agent lives without one. */
export function effectiveStatus(
  session: Session | null,
  assignments: readonly Lifetime[],
  alive: boolean,
): EffectiveStatus {
  if (session === null) return "none";
  const isDown = assignments.some(isStopped) && assignments.every((each) => isStopped(each) || isFinished(each));
  return alive && !isDown ? session.status : "stopped";
}

type Lifetime = Pick<Assignment, "live" | "ended">;

/** Ended by a person, with its pane or with tmux itself: not by having finished or failed. */
const isStopped = ({ live, ended }: Lifetime): boolean => live === null && ended?.how === "stopped";
const isFinished = ({ live, ended }: Lifetime): boolean => live === null && ended?.how === "ok";

/** What the command line and the config say now of a session that is here. */
export interface Wishes {
  /** Null where neither says anything. */
  readonly supervisor: boolean | null;
  readonly broker: boolean;
  readonly nudge: boolean;
  readonly conflict: ConflictSettings;
  readonly verify: boolean;
  readonly land: SessionLand;
  readonly owned: Session["owned"];
}

export type Recovered = Extract<SessionEvent, { type: "recovered" }>["as"];

/** How a session is when it is started again: as it was where nothing else is said, in tmux or headless as it was. */
export function recoveredAs(session: Session, wishes: Wishes): Recovered {
  const { supervisor, broker, nudge, conflict, verify, land, owned } = wishes;
  const supervised = broker && (supervisor ?? session.conflicts !== null);
  const inTmux = supervised ? "supervisor" : broker ? "broker" : "plain";
  return {
    arrangement: session.arrangement === null ? null : inTmux,
    conflicts: supervised ? conflict : null,
    nudge,
    broker,
    verify,
    land,
    owned,
  };
}

/** The settings a running session does not follow until it is started again. */
export function notInEffect(session: Session, wishes: Wishes): string[] {
  const as = recoveredAs(session, wishes);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const isSupervised = (conflicts: Session["conflicts"]) => conflicts !== null;
  return [
    ...(isSupervised(as.conflicts) === isSupervised(session.conflicts) ? [] : [ENABLED]),
    ...(as.conflicts === null || session.conflicts === null || isSame(as.conflicts, session.conflicts)
      ? []
      : ["[supervisor.conflict]"]),
    ...(as.nudge === session.nudge ? [] : ["[supervisor] verify_on_commit_nudge"]),
    ...(as.broker === session.broker ? [] : ["[broker] enabled"]),
    ...(as.verify === session.verify ? [] : ["[verify] on_commit"]),
    ...(isSame(as.land, session.land) ? [] : ["[land]"]),
  ];
}

const ENABLED = "[supervisor] enabled";

/** The same, with the flag's name where it was a flag that said so. */
export const nameLater = (later: readonly string[], flag: boolean | undefined): readonly string[] =>
  later.map((each) => (each === ENABLED && flag !== undefined ? `--${flag ? "" : "no-"}supervisor` : each));

export type StartDecision =
  | { readonly do: "fresh" }
  | { readonly do: "reattach" }
  | { readonly do: "recover" }
  | { readonly do: "refuse"; readonly extra: readonly Branch[]; readonly present: readonly Branch[] };

/**
 * What `start` does, from what is here: never a second set of agents, never a purge. Branches that the session does
 * not have are refused, because adding is another command; naming none means all that are here.
 */
export function decideStart(
  session: Session | null,
  assignments: readonly Assignment[],
  branches: readonly Branch[],
  supervising: Assignment | null = null,
): StartDecision {
  if (session === null || assignments.length === 0) return { do: "fresh" };
  const present = assignments.map((assignment) => assignment.branch);
  const extra = branches.filter((branch) => !present.includes(branch));
  if (extra.length > 0) return { do: "refuse", extra, present };
  const asleep = assignments.some(
    (assignment) =>
      assignment.wanted !== "up" || assignment.paused || (assignment.ended !== null && assignment.ended.how !== "ok"),
  );
  // A model in pane 0 is never done with its work: one that has left is missed.
  const missed = supervising !== null && (supervising.wanted !== "up" || supervising.ended !== null);
  return session.status === "active" && !asleep && !missed ? { do: "reattach" } : { do: "recover" };
}
