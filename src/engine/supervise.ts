import { type LaneKey, laneAgent } from "../core/ids.ts";
import { tmuxMarker } from "../core/naming.ts";
import type { SessionSettings } from "../core/settings.ts";
import type { Ports } from "../ports/ports.ts";
import { watchRetention } from "./compact.ts";
import { watchConflicts } from "./conflict-watch.ts";
import type { House, HousePlace } from "./house.ts";
import { Journal } from "./journal.ts";
import { keepLearnings } from "./keep-learnings.ts";
import { keepOutlook } from "./keep-outlook.ts";
import { Lanes } from "./lanes.ts";
import { LivingAgents } from "./living.ts";
import { plannedPanes } from "./look.ts";
import { createPerform } from "./perform/perform.ts";
import { Polling } from "./polling.ts";
import { createReceipt } from "./receipt.ts";
import { createRefresher } from "./refresher.ts";
import { type Perform, tickRun } from "./tick-run.ts";
import { adoptPanes, watchPanes } from "./watch-panes.ts";
import { watchWork } from "./watch-work.ts";

/** How long a stop waits for what is under way; after that it is a crash, which every start can mend. */
const DRAIN_MS = 5_000;

export interface SuperviseOptions {
  readonly ports: Ports;
  readonly place: HousePlace;
  settings(): Promise<SessionSettings>;
  onError(lane: LaneKey | null, error: unknown): void;
  /** Stands around every effect; fault tests end the process here. */
  readonly around?: (perform: Perform) => Perform;
}

export interface Supervisor {
  readonly house: House;
  /** Ends what a dead supervisor left running; with `relaunch`, brings back every agent that is wanted up. */
  reconcile(relaunch: boolean): Promise<void>;
  /**
   * No more ticks, headless agents ended, journal closed. They are wanted as before: the next start brings them back.
   * Those in panes go on.
   */
  close(): Promise<void>;
}

/** The engine, wound up but not yet running: reading the journal is all it has done. */
export async function supervise({ ports, place, settings, onError, around }: SuperviseOptions): Promise<Supervisor> {
  const journal = await Journal.open(ports.store);
  const living = new LivingAgents();
  const wake = (lane: LaneKey) => lanes.wake(lane);
  const failed = (error: unknown) => onError(null, error);
  const outlook = keepOutlook({ ...ports, journal, wake }, failed);
  const house: House = {
    ...ports,
    journal,
    living,
    outlook,
    polling: new Polling(),
    outcomes: new Map(),
    place,
    settings,
    wake,
    held: false,
    arrange: createRefresher(() => ports.tmux.arrange(place.session, plannedPanes({ journal }))),
  };
  const perform = around === undefined ? createPerform(house) : around(createPerform(house));
  const lanes = new Lanes((lane) => tickRun(house, perform, lane), ports.clock, onError);
  const refreshReceipt = createReceipt(house);
  journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) refreshReceipt().catch((error) => onError(null, error));
  });
  const outliving = () =>
    new Set(living.all().flatMap(([, { run, process, heard }]) => (process.outlives && !heard.exit ? [run] : [])));
  const watches = [watchPanes, watchConflicts, watchRetention].map((watch) => watch(house, failed));
  const learnings = keepLearnings(house, failed);
  return {
    house,
    async reconcile(relaunch) {
      house.held = !relaunch;
      await ports.agents.endLeftovers(tmuxMarker(place.session));
      await adoptPanes(house);
      await ports.agents.endLeftovers(`${place.session}.`, outliving());
      // The receipt is for reading: that it cannot be written stops nobody.
      await refreshReceipt().catch((error: unknown) => onError(null, error));
      watches.push(outlook.stop, watchWork(house, failed));
      if (relaunch) for (const lane of journal.lanes.keys()) if (laneAgent(lane) !== null) lanes.wake(lane);
    },
    async close() {
      await Promise.race([lanes.stop(), new Promise<void>((resolve) => ports.clock.after(DRAIN_MS, resolve))]);
      for (const stop of watches) stop();
      await Promise.all(living.all().map(([, { process }]) => (process.outlives ? undefined : process.end())));
      await ports.agents.endLeftovers(`${place.session}.`, outliving());
      await ports.tmux.leave();
      await ports.predictor.close();
      await learnings.end();
      await ports.store.close();
    },
  };
}
