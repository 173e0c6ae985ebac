import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../adapters/system/clock.ts";
import { epicFiles } from "../../adapters/system/epic-files.ts";
import { isGone, ourselves, readHolder, writeHolder } from "../../adapters/system/holder.ts";
import type { EpicSettings } from "../../config/epic.ts";
import { DEFAULT_POLICY, type Policy } from "../../core/epic/policy.ts";
import { isOut } from "../../core/epic/standing.ts";
import type { EpicPorts } from "../../modes/epic/take-tick.ts";
import type { Io } from "../command.ts";
import { findHere, type Here } from "../place.ts";

/** What a tick works with. */
export interface EpicWorld {
  readonly ports: EpicPorts;
  readonly policy: Policy;
  readonly loopMinutes: number;
}

/** Without a supervisor; outside of a repository nobody can be sent, and a person plays every role. */
export async function wireEpic(io: Io): Promise<EpicWorld> {
  const here = findHere(io.cwd, io.env);
  const by = writeHolder(ourselves());
  const alone = { store: epicFiles, now: () => systemClock.now(), isGone: isHolderGone, ...NOBODY };
  if (here === null) return { policy: { ...DEFAULT_POLICY, by }, loopMinutes: 30, ports: alone };
  const epic = await readSettings(here, io);
  const policy = { ...epic.policy, by };
  const hands = lazyHands(async () => (await import("./wire-hands.ts")).wireHands(here, epic, io, isHolderGone));
  return { policy, loopMinutes: epic.loopMinutes, ports: { ...alone, ...hands } };
}

/** Most repositories have no config: then nothing is loaded to read one. */
async function readSettings(here: Here, io: Io): Promise<EpicSettings> {
  const home = io.env.XDG_CONFIG_HOME || join(io.env.HOME || "/", ".config");
  const files = [join(home, "banksman", "config.toml"), join(here.root, ".banksman", "config.toml")];
  if (!files.some((file) => existsSync(file)))
    return { policy: DEFAULT_POLICY, loopMinutes: 30, roles: new Map(), notify: null };
  const { loadConfig } = await import("../../config/load.ts");
  return loadConfig({ root: here.root, state: here.state, env: io.env, scriptedAgent: [] }).epic;
}

const isHolderGone = (by: string): boolean => {
  const holder = readHolder(by);
  return holder !== null && isGone(holder);
};

/** Who judges, works and tells for an epic. */
export type Hands = Pick<EpicPorts, "roles" | "dispatcher" | "notifier">;

const NOBODY: Hands = {
  roles: { ask: async () => ({ person: true }) },
  dispatcher: { dispatch: async () => "workers are sent inside of a repository only", observe: async () => [] },
  notifier: { notify: async () => undefined },
};

/** Loaded when somebody is asked, sent, out or told: a tick over an epic that rests needs nobody (10 ms of its start). */
function lazyHands(load: () => Promise<Hands>): Hands {
  let loaded: Promise<Hands> | null = null;
  const hands = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    roles: { ask: async (...asked) => (await hands()).roles.ask(...asked) },
    dispatcher: {
      dispatch: async (...order) => (await hands()).dispatcher.dispatch(...order),
      observe: async (epic) => (epic.items.some(isOut) ? (await hands()).dispatcher.observe(epic) : []),
    },
    notifier: { notify: async (...notice) => (await hands()).notifier.notify(...notice) },
  };
}
