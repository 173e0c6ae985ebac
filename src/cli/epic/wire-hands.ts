import { join } from "node:path";
import { createCommandWorkers } from "../../adapters/epic/command-workers.ts";
import { createNotices } from "../../adapters/epic/notices.ts";
import { createRoleCommands } from "../../adapters/epic/role-commands.ts";
import { createCommand } from "../../adapters/process/command.ts";
import type { EpicSettings } from "../../config/epic.ts";
import type { Environment } from "../../core/environment.ts";
import type { Policy } from "../../core/epic/policy.ts";
import type { Dispatcher } from "../../ports/epic-hands.ts";
import type { Io } from "../command.ts";
import type { Here } from "../place.ts";
import type { Hands } from "./wire-epic.ts";

/** Roles by commands and CLIs, workers by their mode, notices by the user's command. */
export function wireHands(
  here: Here,
  { roles, notify, policy }: EpicSettings,
  io: Io,
  isGone: (by: string) => boolean,
): Hands {
  const env = Object.fromEntries(
    Object.entries(io.env).filter((each): each is [string, string] => each[1] !== undefined),
  ) as Environment;
  const command = createCommand("banksman.epic");
  const folder = join(here.state, "epics");
  const runner = [process.execPath, process.argv[1] ?? "", "epic", "work"];
  const { workers } = policy;
  const commands = createCommandWorkers(command, { folder, root: here.root, env, workers, runner, isGone });
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
        ? { notify: async () => undefined }
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
  observe: async (epic) => [...(await commands.observe(epic)), ...(await (await sessions()).observe(epic))],
});
