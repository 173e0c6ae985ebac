import type { Assignment } from "../agents/assignment.ts";
import type { ConflictLine } from "../conflicts/view.ts";
import type { Explanation } from "../failure/explain/words.ts";
import { explain } from "../failure/explain.ts";
import type { Failure } from "../failure/failure.ts";
import type { RedWork } from "../gates/combinations.ts";
import type { LandingView } from "../landing/view.ts";
import type { Finding } from "../messages/finding.ts";
import { type AtPane, isAtPane, type PhaseCode } from "../messages/phase.ts";
import { isOpen, type Question, type QuestionKind, questionId } from "../messages/questions.ts";
import type { AgentState, RosterEntry } from "../messages/roster.ts";
import { type EffectiveStatus, effectiveStatus, type Session } from "../session/session.ts";
import { type AgentId, type Instant, SUPERVISOR } from "../text/ids.ts";
import { iso } from "../text/instant.ts";

/** Everything a dashboard, `status --json` or a program sees: one shape for all of them. */
export interface Snapshot {
  readonly session: string | null;
  readonly status: EffectiveStatus;
  readonly mode: "session" | null;
  readonly project: string;
  readonly repository: string;
  readonly createdAt: string | null;
  /** The last message before the session: the log of the session begins behind it. */
  readonly after: number;
  readonly supervisor: { readonly pid: number; readonly url: string; readonly since: string } | null;
  readonly broker: { readonly enabled: boolean; readonly port: number | null };
  /** Why nothing can be recorded, and so nothing goes on, at the moment. */
  readonly trouble?: Explanation;
  readonly agents: readonly AgentView[];
  readonly needsYou: readonly Need[];
  /** Who is in whose way, worst first; `conflicts` has the lines. */
  readonly conflicts: readonly ConflictLine[];
  /** Agents whose work is green alone and red together, as it is now. */
  readonly combinations: readonly CombinationView[];
  /** The train, and what came of the last one; null where nothing was ever to land. */
  readonly landing: LandingView | null;
}

export interface CombinationView {
  readonly agents: readonly AgentId[];
  readonly findings: readonly Finding[];
  readonly at: string;
}

export interface AgentView {
  readonly id: AgentId;
  readonly branch: string | null;
  readonly cli: string | null;
  readonly state: AgentState;
  /** In words; what programs compare is the code. */
  readonly phase?: string;
  readonly phaseCode?: PhaseCode;
  /** Since when, for a phase that began some time after its state. */
  readonly phaseSince?: string;
  /** Messages for it are held back, until this agent commits or it is resumed. */
  readonly paused?: boolean;
  readonly pausedUntil?: AgentId;
  readonly evidence: string;
  /** What the gates say of its newest commit, as far as it is not green: in words. */
  readonly red?: string;
  readonly since: string;
  readonly lastSeen: string | null;
  readonly worktree: string | null;
  readonly pane: { readonly id: string; readonly position: number } | null;
  readonly supervised: boolean;
  readonly modifiedFiles: readonly string[];
  readonly inbox: { readonly undelivered: number; readonly unacted: number };
  /** Null is unknown. */
  readonly usage: { readonly tokens: number | null; readonly cost: number | null };
  readonly pid: number | null;
  readonly log: string | null;
  readonly warnings: readonly string[];
  readonly outcome?: "failed" | "stopped";
  /** Set where it was not the agent that failed: what happened, and what to do. */
  readonly failure?: Explanation;
}

/** That messages for it are held back, in words; empty where they are not. */
export const heldWords = ({ paused, pausedUntil }: Pick<AgentView, "paused" | "pausedUntil">): string => {
  if (!paused) return "";
  return pausedUntil === undefined ? "paused" : `paused until ${pausedUntil} commits`;
};

/** Something that only a person can settle. */
export interface Need {
  /** Its own, and the same as long as it lasts; of a question the one that `answer` takes. */
  readonly id: string;
  readonly kind: NeedKind;
  readonly agent?: AgentId;
  readonly text: string;
  readonly since: string;
  /** The words that answer it, where not every word does. */
  readonly options?: readonly string[];
}

export type NeedKind = QuestionKind | AtPane | "unheard" | "failed" | "stuck";

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
  readonly trouble: Failure | null;
  readonly assignments: readonly Assignment[];
  readonly roster: readonly RosterEntry[];
  readonly questions: readonly Question[];
  /** Agents that a message waits for which should have woken them, and since when. */
  readonly unheard: ReadonlyMap<AgentId, Instant>;
  readonly conflicts: readonly ConflictLine[];
  readonly combinations: readonly RedWork[];
  readonly landing: LandingView | null;
  /** Agents whose newest commit the gates do not pass, with the first finding. */
  readonly red: ReadonlyMap<AgentId, string>;
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
  const agentsOnly = scene.assignments.filter(({ agent }) => agent !== SUPERVISOR);
  const status = effectiveStatus(session, agentsOnly, supervisor !== null || scene.live.size > 0);
  const agents = scene.roster
    .filter(isShown(scene))
    .sort((a, b) => position(scene, a) - position(scene, b) || (a.agent < b.agent ? -1 : 1));
  return {
    session: session?.name ?? null,
    status,
    mode: session ? "session" : null,
    project: scene.project,
    repository: scene.repository,
    createdAt: session ? iso(session.createdAt) : null,
    after: session?.after ?? 0,
    supervisor: since,
    broker: { enabled: session?.broker ?? true, port: supervisor?.port ?? null },
    ...(scene.trouble !== null && { trouble: explain(scene.trouble) }),
    agents: agents.map((entry) => drawAgent(entry, scene)),
    needsYou: everyNeed(scene).map(({ need }) => need),
    conflicts: scene.conflicts,
    combinations: scene.combinations.map(({ agents: who, findings, at }) => ({ agents: who, findings, at: iso(at) })),
    landing: scene.landing,
  };
}

/** Journals of earlier versions have a row for the supervisor where none runs as an agent. */
const isShown =
  ({ assignments }: Scene) =>
  ({ agent }: RosterEntry): boolean =>
    agent !== SUPERVISOR || assignments.some((assignment) => assignment.agent === SUPERVISOR);

const position = ({ assignments }: Scene, { agent }: RosterEntry) => {
  const index = assignments.findIndex((assignment) => assignment.agent === agent);
  return index < 0 ? assignments.length : index;
};

function drawAgent(entry: RosterEntry, scene: Scene): AgentView {
  const assignment = scene.assignments.find(({ agent }) => agent === entry.agent) ?? null;
  const live = scene.live.get(entry.agent) ?? null;
  const lastSeen = Math.max(entry.lastSeen ?? 0, live?.lastSign ?? 0) as Instant;
  const asleep = assignment !== null && live === null && assignment.live !== null;
  return {
    id: entry.agent,
    branch: entry.branch,
    cli: entry.cli,
    state: asleep && scene.supervisor === null ? "stopped" : entry.state,
    ...(assignment?.paused && {
      paused: true,
      ...(assignment.pausedUntil !== null && { pausedUntil: assignment.pausedUntil }),
    }),
    ...(entry.phase !== null && { phase: entry.phase.text, phaseCode: entry.phase.code }),
    ...(assignment?.retrying && { phaseSince: iso(assignment.retrying.since) }),
    evidence: entry.evidence,
    ...(scene.red.has(entry.agent) && { red: scene.red.get(entry.agent) as string }),
    since: iso(entry.since),
    lastSeen: lastSeen === 0 ? null : iso(lastSeen),
    worktree: assignment?.worktree ?? null,
    pane: live?.pane ?? null,
    supervised: assignment !== null,
    modifiedFiles: entry.files,
    inbox: scene.inbox.get(entry.agent) ?? { undelivered: 0, unacted: 0 },
    usage: {
      tokens: tokensOf(assignment),
      cost: assignment?.usage.cost ?? null,
    },
    pid: live?.pid ?? null,
    log: assignment?.log ?? null,
    warnings: assignment === null ? [] : warningsOf(assignment),
    ...(assignment?.ended &&
      assignment.ended.how !== "ok" && { outcome: assignment.ended.how === "stopped" ? "stopped" : "failed" }),
    ...(assignment?.ended?.failure && { failure: explain(assignment.ended.failure) }),
  };
}

const warningsOf = ({ warnings, startWarnings, watchWarning }: Assignment): string[] => [
  ...warnings,
  ...startWarnings,
  ...(watchWarning ? [watchWarning] : []),
];

/** Null where nobody reports them: a CLI in a pane. */
function tokensOf(assignment: Assignment | null): number | null {
  if (assignment === null) return 0;
  const { terminal, usage } = assignment;
  const tokens = usage.input + usage.output;
  return terminal && tokens === 0 ? null : tokens;
}

/** The one list of what needs a person; where it is a question, with all that is known of it. */
function everyNeed(scene: Scene): { readonly need: Need; readonly question?: Question }[] {
  const questions = scene.questions.filter(isOpen).map((question) => ({
    question,
    need: {
      id: questionId(question),
      kind: question.kind,
      ...(question.agent !== null && { agent: question.agent }),
      text: question.command ?? question.text,
      since: iso(question.since),
      ...(question.options.length > 0 && { options: question.options }),
    },
  }));
  const others = [...atPanes(scene), ...failures(scene), ...unheard(scene)];
  return [...questions, ...others.map((each) => ({ need: each }))];
}

/** `questions --json`: the same list, each question with its command and the ways to answer. */
export const drawNeeds = (scene: Scene): (Need | QuestionView)[] =>
  everyNeed(scene).map(({ need, question }) => (question === undefined ? need : drawQuestion(question)));

/** Agents that wait for a person in their own panes. */
function atPanes({ roster, supervisor }: Scene): Need[] {
  return roster.flatMap(({ agent, phase, evidence, since }) =>
    supervisor !== null && phase !== null && isAtPane(phase.code) ? [need(phase.code, agent, evidence, since)] : [],
  );
}

/** Told nothing for this long because they are not at their prompts: somebody should look. */
const UNHEARD_MS = 5 * 60_000;

function unheard({ unheard: waiting, assignments, now }: Scene): Need[] {
  return assignments.flatMap(({ agent, live, paused }) => {
    const since = waiting.get(agent);
    if (now === null || since === undefined || live === null || paused || now - since < UNHEARD_MS) return [];
    const text = "messages wait for it, and it is not where it could be told: look at its pane";
    return [need("unheard", agent, text, since)];
  });
}

function failures({ roster }: Scene): Need[] {
  return roster.flatMap(({ agent, state, evidence, since }) =>
    state === "failed" || state === "stuck" ? [need(state, agent, evidence, since)] : [],
  );
}

/** One agent can need a person in several ways at once. */
const need = (kind: NeedKind, agent: AgentId, text: string, since: Instant): Need => ({
  id: `${kind}:${agent}`,
  kind,
  agent,
  text,
  since: iso(since),
});

export interface QuestionView extends Omit<Need, "kind"> {
  readonly kind: QuestionKind;
  readonly command?: string;
  /** For a conflict: the agents who get the answer. */
  readonly concerns?: readonly AgentId[];
}

function drawQuestion(question: Question): QuestionView {
  const { kind, agent, text, command, options, concerns, since } = question;
  return {
    id: questionId(question),
    kind,
    ...(agent !== null && { agent }),
    text,
    ...(command !== null && { command }),
    ...(options.length > 0 && { options }),
    ...(concerns !== undefined && { concerns }),
    since: iso(since),
  };
}
