import { createRefresher } from "../async/refresher.ts";
import { agentLane, laneAgent } from "../core/agents/reduce-assignment.ts";
import { assignmentsOf, plannedPanes } from "../core/session/read-session.ts";
import type { SessionSettings } from "../core/session/settings.ts";
import { TIMERS, type Timers } from "../core/session/timers.ts";
import type { LaneKey } from "../core/text/ids.ts";
import { tmuxMarker } from "../core/text/naming.ts";
import type { Ports } from "../ports/ports.ts";
import { AgentProcesses } from "./agents/agent-processes.ts";
import { showComingUp } from "./agents/show-coming-up.ts";
import { adoptPanes, watchPanes } from "./agents/watch-panes.ts";
import { keepPredictions } from "./conflicts/keep-predictions.ts";
import type { EngineContext } from "./context.ts";
import { SlotPool } from "./gates/slot-pool.ts";
import { Journal } from "./journal/journal.ts";
import { Lanes } from "./loop/lanes.ts";
import type { Place } from "./loop/place.ts";
import type { Around, Ticking, TickingKind } from "./loop/tick-lane.ts";
import { compact, watchRetention } from "./messages/compact.ts";
import { keepLearnings } from "./messages/keep-learnings.ts";
import { Polling } from "./messages/polling.ts";
import { createReceipt } from "./session/receipt.ts";
import { watchRolePanes } from "./session/watch-role-panes.ts";
import { watchWork } from "./worktrees/watch-work.ts";

/** How long a stop waits for what is under way; after that it is a crash, which every start can mend. */
const DRAIN_MS = 5_000;

export interface SuperviseOptions {
  readonly ports: Ports;
  readonly place: Place;
  settings(): Promise<SessionSettings>;
  gates: EngineContext["gates"];
  land: EngineContext["land"];
  review: EngineContext["review"];
  /** How many checkouts run gates at the same time, where the config does not say. */
  readonly jobs: number;
  onError(lane: LaneKey | null, error: unknown): void;
  readonly timers?: Timers;
  /** The kinds of lanes that the modes register. */
  readonly kinds: Registration;
  readonly around?: Around;
}

/** What a mode registers, made with what the engine has. */
export type Registration = (context: EngineContext, ticking: Ticking) => readonly TickingKind[];

export interface Supervisor {
  readonly context: EngineContext;
  /** Ends what a dead supervisor left running; with `relaunch`, brings back every agent that is wanted up. */
  reconcile(relaunch: boolean): Promise<void>;
  /**
   * No more ticks, headless agents ended, journal closed. They are wanted as before: the next start brings them back.
   * Those in panes go on.
   */
  close(): Promise<void>;
}

/** The engine, ready but not yet running: reading the journal is all it has done. */
export async function supervise(options: SuperviseOptions): Promise<Supervisor> {
  const {
    ports,
    place,
    settings,
    gates,
    land,
    review,
    onError,
    kinds,
    timers = TIMERS,
    around = (perform) => perform,
  } = options;
  const { store, clock, tmux, agents } = ports;
  const journal = await Journal.open(store);
  const failed = (error: unknown) => onError(null, error);
  const wake = (lane: LaneKey) => lanes.wake(lane);
  const context: EngineContext = {
    ...ports,
    journal,
    processes: new AgentProcesses(),
    predictions: keepPredictions({ ...ports, journal, wake }, failed),
    polling: new Polling(),
    place,
    timers,
    settings,
    gates,
    land,
    review,
    pool: new SlotPool(options.jobs),
    wake,
    held: false,
    progress: null,
    arrange: createRefresher(() => tmux.arrange(place.session, plannedPanes(journal))),
  };
  const lanes = new Lanes(kinds(context, { journal, clock, around, outcomes: new Map() }), clock, onError);
  journal.wake = wake;
  const refreshReceipt = createReceipt(context);
  journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) refreshReceipt().catch(failed);
  });
  const watches = [watchPanes(context, failed), watchRolePanes(context, failed), watchRetention(context, failed)];
  const learnings = keepLearnings(context, failed);
  return {
    context,
    async reconcile(relaunch) {
      context.held = !relaunch;
      await beginLife(journal);
      await agents.endLeftovers(tmuxMarker(place.session));
      await adoptPanes(context);
      await agents.endLeftovers(`${place.session}.`, outliving(context));
      // The receipt is for reading: that it cannot be written stops nobody.
      await refreshReceipt().catch(failed);
      watches.push(context.predictions.stop, watchWork(context, failed));
      if (relaunch) await journal.transact((transaction) => showComingUp(context, transaction));
      // What is verified and landed goes on in any case: it needs no agent.
      for (const lane of journal.lanes.keys()) if (relaunch || laneAgent(lane) === null) lanes.wake(lane);
    },
    async close() {
      context.pool.leaving.abort();
      await Promise.race([lanes.stop(), new Promise<void>((resolve) => clock.after(DRAIN_MS, resolve))]);
      for (const stop of watches) stop();
      const headless = context.processes.all().filter(([, { process }]) => !process.outlives);
      await Promise.all(headless.map(([, { process }]) => process.end()));
      await agents.endLeftovers(`${place.session}.`, outliving(context));
      await tmux.leave();
      await ports.predictor.close();
      await learnings.end();
      // Where that cannot be written, the next one looks more closely than it would have to.
      await endLife(journal).catch(failed);
      // After a purge nobody needs what could go, and the next one begins with a small file.
      if (assignmentsOf(journal).length === 0) await compact(context).catch(failed);
      await store.close();
    },
  };
}

const RUNNING = "running";

/** Where the one before did not end by itself, the machine may have gone down with it: worktrees are looked at closely. Nobody is woken. */
async function beginLife(journal: Journal): Promise<void> {
  await journal.transact((transaction) => {
    if (journal.settings.get(RUNNING) === "yes")
      for (const { agent } of assignmentsOf(journal))
        transaction.advance(agentLane(agent), [{ type: "worktree.doubted" }]);
    transaction.put({ row: "setting", put: { key: RUNNING, value: "yes" } });
  });
}

const endLife = (journal: Journal): Promise<void> =>
  journal.transact(({ put }) => put({ row: "setting", put: { key: RUNNING, value: "no" } }));

/** Runs in panes go on without a supervisor. */
const outliving = ({ processes }: Pick<EngineContext, "processes">) =>
  new Set(processes.all().flatMap(([, { run, process, heard }]) => (process.outlives && !heard.exit ? [run] : [])));
