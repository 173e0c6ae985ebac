import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ConflictsView } from "../../core/conflicts/view.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { LaneReader } from "../../core/record/lane.ts";
import { sessionOf } from "../../core/session/read-session.ts";
import { TIMERS } from "../../core/session/timers.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import { AGENT_ID, sessionName } from "../../core/text/naming.ts";
import type { Need, QuestionView, Snapshot } from "../../core/views/snapshot.ts";
import { AgentProcesses } from "../../engine/agents/agent-processes.ts";
import { seePanes } from "../../engine/agents/watch-panes.ts";
import { predictOnce } from "../../engine/conflicts/keep-predictions.ts";
import { Journal } from "../../engine/journal/journal.ts";
import { type IntentView, viewIntents } from "../../engine/views/view-intents.ts";
import {
  type EffectsView,
  type InboxView,
  type LogView,
  viewConflicts,
  viewEffects,
  viewInbox,
  viewLog,
  viewQuestions,
  viewSnapshot,
} from "../../engine/views/views.ts";
import type { Planning } from "../../modes/session/plan.ts";
import { planStart, type StartAction, type StartPlan } from "../../modes/session/plan-start.ts";
import type { Around } from "../session/around.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireReader } from "../wire/wire-store.ts";
import { act, ask, connect } from "./connect.ts";
import { journalFile } from "./state-files.ts";

/** What read commands see: of a running supervisor by HTTP, else of the journal as it was left. */
export interface Reader {
  readonly running: boolean;
  snapshot(): Promise<Snapshot>;
  /** `null` is from the oldest there is. */
  log(since: number | null, limit: number): Promise<LogView>;
  effects(since: number | null, limit: number): Promise<EffectsView>;
  inbox(agent: string): Promise<InboxView>;
  questions(): Promise<(Need | QuestionView)[]>;
  conflicts(): Promise<ConflictsView>;
  intents(): Promise<IntentView[]>;
  /** What `start` would do. */
  planStart(action: StartAction, around: Pick<Around, "ports" | "settings">): Promise<StartPlan>;
  close(): Promise<void>;
}

/** Reading never starts a supervisor. */
export async function openReader(repository: Repository): Promise<Reader> {
  try {
    return online(await connect(repository, "never"));
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "supervisor.none") return offline(repository);
    throw error;
  }
}

/** Whether there is a session, and whether it runs. */
export async function sessionStatus(repository: Repository): Promise<Snapshot["status"]> {
  const reader = await openReader(repository);
  return (await reader.snapshot().finally(() => reader.close())).status;
}

function online(connection: Awaited<ReturnType<typeof connect>>): Reader {
  return {
    running: true,
    snapshot: () => ask(connection, "/snapshot"),
    log: (since, limit) => ask(connection, `/log?${range(since, limit)}`),
    effects: (since, limit) => ask(connection, `/effects?${range(since, limit)}`),
    inbox: (agent) => ask(connection, `/inbox/${encodeURIComponent(agent)}`),
    questions: () => ask(connection, "/questions"),
    conflicts: () => ask(connection, "/conflicts"),
    intents: async () => (await ask<{ intents: IntentView[] }>(connection, "/intents")).intents,
    planStart: (action) => act(connection, action),
    close: async () => {},
  };
}

const range = (since: number | null, limit: number): string =>
  `${since === null ? "" : `since=${since}&`}limit=${limit}`;

async function offline(repository: Repository): Promise<Reader> {
  if (!existsSync(journalFile(repository.state))) return nothing(repository);
  const store = await wireReader(repository);
  const place = { project: repository.project, repository: repository.commonDir };
  const journal = await Journal.open(store).catch(async (error: unknown) => {
    await store.close().catch(() => undefined);
    throw error;
  });
  const processes = new AgentProcesses();
  const records = { store, journal, processes, place };
  if (sessionOf(journal)?.arrangement) await findPanes(repository, journal, processes);
  return {
    running: false,
    snapshot: () => viewSnapshot(records, null),
    log: (since, limit) => viewLog(records, since, limit),
    effects: (since, limit) => viewEffects(records, since, limit),
    inbox: async (agent) => (AGENT_ID.test(agent) ? viewInbox(records, agent as AgentId) : []),
    questions: () => viewQuestions(records, null),
    conflicts: () => conflictsNow(repository, journal),
    intents: async () => viewIntents(journal, Date.now() as Instant, null),
    planStart: (action, around) => planStart(planningAt(repository, around), journal, action),
    close: () => store.close(),
  };
}

/** Nobody has kept the predictions current: they are made for the asking. */
async function conflictsNow(repository: Repository, journal: Journal): Promise<ConflictsView> {
  const { wireViewer } = await import("../wire/wire-ports.ts");
  const folder = temporaryFolder("conflicts");
  const world = wireViewer(repository, join(folder, "objects"), process.env);
  try {
    const predictions = await predictOnce({ journal, ...world });
    return viewConflicts({ journal }, predictions, world.clock.now());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Agents in tmux outlive their supervisor: they are seen, though nobody speaks for them. */
async function findPanes(repository: Repository, journal: Journal, processes: AgentProcesses): Promise<void> {
  const { wirePorts } = await import("../wire/wire-ports.ts");
  const ports = wirePorts(repository, process.env);
  try {
    const { root, state, project, commonDir } = repository;
    const place = { root, state, session: sessionName(project, commonDir) };
    await seePanes({ ...ports, journal, processes, place, timers: TIMERS });
  } finally {
    await ports.tmux.leave();
  }
}

const planningAt = (repository: Repository, { ports, settings }: Pick<Around, "ports" | "settings">): Planning => {
  const { root, project, commonDir } = repository;
  return { ports, root, project, session: sessionName(project, commonDir), settings };
};

const NO_LANES: LaneReader = { state: ({ rules }) => rules.initial, laneKeys: () => [] };

/** A repository we have never been asked about. */
function nothing(repository: Repository): Reader {
  const { project, commonDir } = repository;
  const empty = {
    session: null,
    status: "none",
    mode: null,
    createdAt: null,
    after: 0,
    supervisor: null,
    agents: [],
    needsYou: [],
    conflicts: [],
    combinations: [],
    landing: null,
  } as const;
  return {
    running: false,
    snapshot: async () => ({ ...empty, project, repository: commonDir, broker: { enabled: true, port: null } }),
    log: async (since) => ({ entries: [], last_seq: since ?? 0, head: 0, kept: 0 }),
    effects: async () => [],
    inbox: async () => [],
    questions: async () => [],
    conflicts: async () => {
      const checkedAt = new Date().toISOString();
      return { forward: [], inFlight: [], ownership: [], predicted: [], checkedAt };
    },
    intents: async () => [],
    planStart: (action, around) => planStart(planningAt(repository, around), NO_LANES, action),
    close: async () => {},
  };
}
