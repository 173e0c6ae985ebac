import type { ConflictLine } from "./conflicts/view.ts";
import { type Explanation, explain } from "./explain.ts";
import type { AgentId, Instant } from "./ids.ts";
import { iso } from "./instant.ts";
import { isOpen, type Question, questionId } from "./questions.ts";
import type { RosterEntry } from "./roster.ts";
import type { Run } from "./run.ts";
import { type EffectiveStatus, effectiveStatus, type Session } from "./session.ts";
import { isStand } from "./stand.ts";

/** Everything a dashboard, `status --json` or a program sees: one shape for all of them. */
export interface Snapshot {
  readonly session: string | null;
  readonly status: EffectiveStatus;
  readonly mode: "session" | null;
  readonly project: string;
  readonly repository: string;
  readonly createdAt: string | null;
  readonly supervisor: { readonly pid: number; readonly url: string; readonly since: string } | null;
  readonly broker: { readonly enabled: boolean; readonly port: number | null };
  readonly agents: readonly AgentView[];
  readonly needsYou: readonly Need[];
  /** Who is in whose way, worst first; `conflicts` has the lines. */
  readonly conflicts: readonly ConflictLine[];
}

export interface AgentView {
  readonly id: AgentId;
  readonly branch: string | null;
  readonly cli: string | null;
  readonly state: string;
  readonly phase?: string;
  readonly evidence: string;
  readonly since: string;
  readonly lastSeen: string | null;
  readonly worktree: string | null;
  readonly pane: { readonly id: string; readonly position: number } | null;
  readonly supervised: boolean;
  readonly modifiedFiles: readonly string[];
  readonly inbox: { readonly undelivered: number; readonly unacted: number };
  readonly usage: { readonly tokens: number; readonly cost: number | null };
  readonly pid: number | null;
  readonly log: string | null;
  readonly warnings: readonly string[];
  readonly outcome?: "failed" | "stopped";
  /** Set where it was not the agent that failed: what happened, and what to do. */
  readonly failure?: Explanation;
}

export interface Need {
  readonly id: string;
  readonly kind: string;
  readonly agent?: AgentId;
  readonly text: string;
  readonly since: string;
}

/** What the snapshot is drawn from. `live` is what only a running supervisor knows; without one it is empty. */
export interface Scene {
  readonly project: string;
  readonly repository: string;
  readonly supervisor: {
    readonly pid: number;
    readonly url: string;
    readonly since: Instant;
    readonly port: number;
  } | null;
  readonly session: Session | null;
  readonly runs: readonly Run[];
  readonly roster: readonly RosterEntry[];
  readonly questions: readonly Question[];
  /** Agents that a message waits for which should have woken them, and since when. */
  readonly unheard: ReadonlyMap<AgentId, Instant>;
  readonly conflicts: readonly ConflictLine[];
  /** Null where nobody looks after time: no supervisor runs. */
  readonly now: Instant | null;
  readonly inbox: ReadonlyMap<AgentId, { readonly undelivered: number; readonly unacted: number }>;
  readonly live: ReadonlyMap<
    AgentId,
    { readonly pid: number; readonly lastSign: Instant | null; readonly pane: AgentView["pane"] }
  >;
}

export function drawSnapshot(scene: Scene): Snapshot {
  const { session, supervisor } = scene;
  const since = supervisor && { pid: supervisor.pid, url: supervisor.url, since: iso(supervisor.since) };
  const status = effectiveStatus(session, supervisor !== null || scene.live.size > 0);
  const agents = [...scene.roster].sort(
    (a, b) => position(scene, a) - position(scene, b) || (a.agent < b.agent ? -1 : 1),
  );
  return {
    session: session?.name ?? null,
    status,
    mode: session ? "session" : null,
    project: scene.project,
    repository: scene.repository,
    createdAt: session ? iso(session.createdAt) : null,
    supervisor: since,
    broker: { enabled: true, port: supervisor?.port ?? null },
    agents: agents.map((entry) => drawAgent(entry, scene)),
    needsYou: [...openQuestions(scene), ...standing(scene), ...failures(scene), ...unheard(scene)],
    conflicts: scene.conflicts,
  };
}

const position = ({ runs }: Scene, { agent }: RosterEntry) => {
  const index = runs.findIndex((run) => run.agent === agent);
  return index < 0 ? runs.length : index;
};

function drawAgent(entry: RosterEntry, scene: Scene): AgentView {
  const run = scene.runs.find(({ agent }) => agent === entry.agent) ?? null;
  const live = scene.live.get(entry.agent) ?? null;
  const lastSeen = Math.max(entry.lastSeen ?? 0, live?.lastSign ?? 0) as Instant;
  const asleep = run !== null && live === null && run.live !== null;
  return {
    id: entry.agent,
    branch: entry.branch,
    cli: entry.cli,
    state: asleep && scene.supervisor === null ? "stopped" : entry.state,
    ...(entry.phase !== null && { phase: entry.phase }),
    evidence: entry.evidence,
    since: iso(entry.since),
    lastSeen: lastSeen === 0 ? null : iso(lastSeen),
    worktree: run?.worktree ?? null,
    pane: live?.pane ?? null,
    supervised: run !== null,
    modifiedFiles: entry.files,
    inbox: scene.inbox.get(entry.agent) ?? { undelivered: 0, unacted: 0 },
    usage: { tokens: run ? run.usage.input + run.usage.output : 0, cost: run?.usage.cost ?? null },
    pid: live?.pid ?? null,
    log: run?.log ?? null,
    warnings: run === null ? [] : [...run.warnings, ...(run.watchWarning ? [run.watchWarning] : [])],
    ...(run?.ended && run.ended.how !== "ok" && { outcome: run.ended.how === "stopped" ? "stopped" : "failed" }),
    ...(run?.ended?.failure && { failure: explain(run.ended.failure) }),
  };
}

function openQuestions({ questions }: Scene): Need[] {
  return questions.filter(isOpen).map((question) => ({
    id: questionId(question),
    kind: question.kind,
    ...(question.agent !== null && { agent: question.agent }),
    text: question.command ?? question.text,
    since: iso(question.since),
  }));
}

/** Agents that wait for a person in their own panes. */
function standing({ roster, supervisor }: Scene): Need[] {
  return roster.flatMap(({ agent, phase, evidence, since }) =>
    supervisor !== null && isStand(phase) ? [{ id: agent, kind: phase, agent, text: evidence, since: iso(since) }] : [],
  );
}

/** Told nothing for this long because they are not at their prompts: somebody should look. */
const UNHEARD_MS = 5 * 60_000;

function unheard({ unheard: waiting, runs, now }: Scene): Need[] {
  return runs.flatMap(({ agent, live, paused }) => {
    const since = waiting.get(agent);
    if (now === null || since === undefined || live === null || paused || now - since < UNHEARD_MS) return [];
    const text = "messages wait for it, and it is not where it could be told: look at its pane";
    return [{ id: agent, kind: "unheard", agent, text, since: iso(since) }];
  });
}

function failures({ roster }: Scene): Need[] {
  const bad = roster.filter(({ state }) => state === "failed" || state === "stuck");
  return bad.map(({ agent, state, evidence, since }) => ({
    id: agent,
    kind: state,
    agent,
    text: evidence,
    since: iso(since),
  }));
}

/** `questions --json`. */
export function drawQuestion(question: Question): Record<string, unknown> {
  const { kind, agent, text, command, options, since } = question;
  return {
    id: questionId(question),
    kind,
    ...(agent !== null && { agent }),
    text,
    ...(command !== null && { command }),
    ...(options.length > 0 && { options }),
    since: iso(since),
  };
}
