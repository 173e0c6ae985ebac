import { existsSync } from "node:fs";
import { join } from "node:path";
import { createCommandWorkers } from "../../adapters/epic/command-workers.ts";
import { createNotices } from "../../adapters/epic/notices.ts";
import { createRoleCommands } from "../../adapters/epic/role-commands.ts";
import { createCommand } from "../../adapters/process/command.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { epicFiles } from "../../adapters/system/epic-files.ts";
import { isGone, ourselves, readHolder, writeHolder } from "../../adapters/system/holder.ts";
import type { EpicSettings } from "../../config/epic.ts";
import type { Environment } from "../../core/environment.ts";
import { DEFAULT_POLICY, type Policy } from "../../core/epic/policy.ts";
import { isOut } from "../../core/epic/standing.ts";
import type { EpicPorts } from "../../modes/epic/take-tick.ts";
import type { Dispatcher } from "../../ports/epic-hands.ts";
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
  return { policy, loopMinutes: epic.loopMinutes, ports: { ...alone, ...wireHands(here, epic, io) } };
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

const NOBODY: Pick<EpicPorts, "roles" | "dispatcher" | "notifier"> = {
  roles: { ask: async () => ({ person: true }) },
  dispatcher: { dispatch: async () => "workers are sent inside of a repository only", observe: async () => [] },
  notifier: { notify: async () => undefined },
};

function wireHands(here: Here, { roles, notify, policy }: EpicSettings, io: Io): typeof NOBODY {
  const env = Object.fromEntries(
    Object.entries(io.env).filter((each): each is [string, string] => each[1] !== undefined),
  ) as Environment;
  const command = createCommand("banksman.epic");
  const folder = join(here.state, "epics");
  const runner = [process.execPath, process.argv[1] ?? "", "epic", "work"];
  const { workers } = policy;
  const commands = createCommandWorkers(command, {
    folder,
    root: here.root,
    env,
    workers,
    runner,
    isGone: isHolderGone,
  });
  return {
    roles: createRoleCommands(command, {
      root: here.root,
      env,
      roles,
      askCli: async (...asked) => (await import("./role-cli.ts")).askRoleCli(here, io, env, asked),
    }),
    dispatcher: byMode(
      commands,
      async () => (await import("./session-workers.ts")).createSessionWorkers(command, here, env),
      policy,
    ),
    notifier:
      notify === null
        ? NOBODY.notifier
        : createNotices(command, { folder: join(folder, "notices"), argv: notify, env }),
  };
}

/** Each worker by its mode. Those that need the supervisor's client are loaded only where one is sent or out. */
const byMode = (commands: Dispatcher, sessions: () => Promise<Dispatcher>, { workers }: Policy): Dispatcher => ({
  dispatch: async (effect, epic, place) => {
    const mode = workers.get(effect.worker)?.mode;
    if (mode === "pipeline") return "this version has no pipeline yet";
    return (mode === "command" ? commands : await sessions()).dispatch(effect, epic, place);
  },
  observe: async (epic) =>
    epic.items.some(isOut) ? [...(await commands.observe(epic)), ...(await (await sessions()).observe(epic))] : [],
});
