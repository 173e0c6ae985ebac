import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../adapters/system/clock.ts";
import { createEpicFiles } from "../../adapters/system/epic-files.ts";
import { isGone, ourselves, readHolder, writeHolder } from "../../adapters/system/holder.ts";
import type { EpicSettings } from "../../config/epic.ts";
import { isOut } from "../../core/epic/decide/item-state.ts";
import { DEFAULT_POLICY, type Policy } from "../../core/epic/decide/policy.ts";
import type { EpicPorts, EpicWorkers } from "../../ports/epic.ts";
import type { Io } from "../command.ts";
import { CONFIG_READERS } from "./config-readers.ts";
import { findRepository, type Repository } from "./find-repository.ts";

/** What a tick works with. */
export interface EpicWorld {
  readonly ports: EpicPorts;
  readonly policy: Policy;
  readonly loopMinutes: number;
}

/** Without a supervisor; outside of a repository nobody can be sent, and a person plays every role. */
export async function wireEpic(io: Io): Promise<EpicWorld> {
  const repository = findRepository(io.cwd, io.env);
  const by = writeHolder(ourselves());
  const alone = {
    store: createEpicFiles(repository?.root ?? null),
    now: () => systemClock.now(),
    isGone: isHolderGone,
    ...NOBODY,
  };
  if (repository === null) return { policy: { ...DEFAULT_POLICY, by }, loopMinutes: 30, ports: alone };
  const epic = await readSettings(repository, io);
  const policy = { ...epic.policy, by };
  const workers = lazyWorkers(async () =>
    (await import("./wire-epic-workers.ts")).wireEpicWorkers(repository, epic, io, isHolderGone),
  );
  return { policy, loopMinutes: epic.loopMinutes, ports: { ...alone, ...workers } };
}

/** Most repositories have no config: then nothing is loaded to read one. */
async function readSettings(repository: Repository, io: Io): Promise<EpicSettings> {
  const home = io.env.XDG_CONFIG_HOME || join(io.env.HOME || "/", ".config");
  const files = [join(home, "banksman", "config.toml"), join(repository.root, ".banksman", "config.toml")];
  if (!files.some((file) => existsSync(file)))
    return { policy: DEFAULT_POLICY, loopMinutes: 30, roles: new Map(), notify: null };
  const { loadConfig } = await import("../../config/load.ts");
  const { root, state } = repository;
  return loadConfig({ root, state, env: io.env, scriptedAgent: [], ...CONFIG_READERS }).epic;
}

const isHolderGone = (by: string): boolean => {
  const holder = readHolder(by);
  return holder !== null && isGone(holder);
};

const NOBODY: EpicWorkers = {
  roles: { ask: async () => ({ person: true }) },
  dispatcher: {
    dispatch: async () => "workers are sent inside of a repository only",
    unable: async () => new Map(),
    observe: async () => [],
  },
  notifier: { notify: async () => undefined },
};

/** Loaded when somebody is asked, sent, out or told: a tick over an epic that rests needs nobody (10 ms of its start). */
function lazyWorkers(load: () => Promise<EpicWorkers>): EpicWorkers {
  let loaded: Promise<EpicWorkers> | null = null;
  const workers = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    roles: { ask: async (...asked) => (await workers()).roles.ask(...asked) },
    dispatcher: {
      dispatch: async (...order) => (await workers()).dispatcher.dispatch(...order),
      unable: async (names) => (await workers()).dispatcher.unable(names),
      observe: async (epic) => (epic.items.some(isOut) ? (await workers()).dispatcher.observe(epic) : []),
    },
    notifier: { notify: async (...notice) => (await workers()).notifier.notify(...notice) },
  };
}
