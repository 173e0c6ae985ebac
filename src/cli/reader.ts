import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConflictsView } from "../core/conflicts/view.ts";
import { Failed } from "../core/failure.ts";
import type { AgentId, Instant } from "../core/ids.ts";
import { AGENT_ID, sessionName } from "../core/naming.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { Journal } from "../engine/journal.ts";
import { lookOnce } from "../engine/keep-outlook.ts";
import { LivingAgents } from "../engine/living.ts";
import { sessionOf } from "../engine/look.ts";
import { type IntentView, viewIntents } from "../engine/view-intents.ts";
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
} from "../engine/views.ts";
import { seePanes } from "../engine/watch-panes.ts";
import { ask, connect } from "./connect.ts";
import { type Here, journalFile } from "./place.ts";
import { wireReader } from "./wire-store.ts";

/** What read commands see: of a running supervisor by HTTP, else of the journal as it was left. */
export interface Reader {
  readonly running: boolean;
  snapshot(): Promise<Snapshot>;
  /** `null` is from the oldest there is. */
  log(since: number | null, limit: number): Promise<LogView>;
  effects(since: number | null, limit: number): Promise<EffectsView>;
  inbox(agent: string): Promise<InboxView>;
  questions(): Promise<Record<string, unknown>[]>;
  conflicts(): Promise<ConflictsView>;
  intents(): Promise<IntentView[]>;
  close(): Promise<void>;
}

/** Reading never starts a supervisor. */
export async function openReader(here: Here): Promise<Reader> {
  try {
    return online(await connect(here, "never"));
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "supervisor.none") return offline(here);
    throw error;
  }
}

function online(line: Awaited<ReturnType<typeof connect>>): Reader {
  return {
    running: true,
    snapshot: () => ask(line, "/snapshot"),
    log: (since, limit) => ask(line, `/log?${range(since, limit)}`),
    effects: (since, limit) => ask(line, `/effects?${range(since, limit)}`),
    inbox: (agent) => ask(line, `/inbox/${encodeURIComponent(agent)}`),
    questions: () => ask(line, "/questions"),
    conflicts: () => ask(line, "/conflicts"),
    intents: async () => (await ask<{ intents: IntentView[] }>(line, "/intents")).intents,
    close: async () => {},
  };
}

const range = (since: number | null, limit: number): string =>
  `${since === null ? "" : `since=${since}&`}limit=${limit}`;

async function offline(here: Here): Promise<Reader> {
  if (!existsSync(journalFile(here.state))) return nothing(here);
  const store = await wireReader(here);
  const place = { project: here.project, repository: here.commonDir };
  const journal = await Journal.open(store).catch(async (error: unknown) => {
    await store.close().catch(() => undefined);
    throw error;
  });
  const living = new LivingAgents();
  const records = { store, journal, living, place };
  if (sessionOf(journal)?.arrangement) await findPanes(here, journal, living);
  return {
    running: false,
    snapshot: () => viewSnapshot(records, null),
    log: (since, limit) => viewLog(records, since, limit),
    effects: (since, limit) => viewEffects(records, since, limit),
    inbox: async (agent) => (AGENT_ID.test(agent) ? viewInbox(records, agent as AgentId) : []),
    questions: async () => viewQuestions(records),
    conflicts: () => conflictsNow(here, journal),
    intents: async () => viewIntents(journal, Date.now() as Instant, null),
    close: () => store.close(),
  };
}

/** Nobody has kept the predictions current: they are made for the asking. */
async function conflictsNow(here: Here, journal: Journal): Promise<ConflictsView> {
  const { wireLookout } = await import("./wire.ts");
  const folder = mkdtempSync(join(tmpdir(), "banksman-conflicts-"));
  const world = wireLookout(here, join(folder, "objects"), process.env);
  try {
    const outlook = await lookOnce({ journal, ...world });
    return viewConflicts({ journal }, outlook, world.clock.now());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Agents in tmux outlive their supervisor: they are seen, though nobody speaks for them. */
async function findPanes(here: Here, journal: Journal, living: LivingAgents): Promise<void> {
  const { wireWorld } = await import("./wire.ts");
  const world = wireWorld(here, process.env);
  try {
    const place = { session: sessionName(here.project, here.commonDir), state: here.state };
    await seePanes({ ...world, journal, living, place });
  } finally {
    await world.tmux.leave();
  }
}

/** A repository we have never been asked about. */
function nothing({ project, commonDir }: Here): Reader {
  const empty = {
    session: null,
    status: "none",
    mode: null,
    createdAt: null,
    supervisor: null,
    agents: [],
    needsYou: [],
    conflicts: [],
  } as const;
  return {
    running: false,
    snapshot: async () => ({ ...empty, project, repository: commonDir, broker: { enabled: true, port: null } }),
    log: async (since) => ({ entries: [], last_seq: since ?? 0 }),
    effects: async () => [],
    inbox: async () => [],
    questions: async () => [],
    conflicts: async () => {
      const checkedAt = new Date().toISOString();
      return { forward: [], inFlight: [], ownership: [], predicted: [], checkedAt };
    },
    intents: async () => [],
    close: async () => {},
  };
}
