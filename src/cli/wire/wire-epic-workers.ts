import { join } from "node:path";
import { createCommandWorkers } from "../../adapters/epic/command-workers.ts";
import { createNotices } from "../../adapters/epic/notices.ts";
import { createRoleCommands } from "../../adapters/epic/role-commands.ts";
import { createSentOnce } from "../../adapters/epic/sent-once.ts";
import { createIsAhead } from "../../adapters/git/is-ahead.ts";
import { createCommand } from "../../adapters/process/command.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import type { EpicSettings } from "../../config/epic.ts";
import type { Environment } from "../../core/clis/environment.ts";
import type { Policy } from "../../core/epic/decide/policy.ts";
import type { Worker } from "../../core/epic/decide/workers.ts";
import { resolveCli } from "../../core/session/settings.ts";
import type { Dispatcher, EpicWorkers } from "../../ports/epic.ts";
import type { Io } from "../command.ts";
import type { Repository } from "./find-repository.ts";

/** Roles by commands and CLIs, workers by their mode, notices by the user's command. */
export function wireEpicWorkers(
  repository: Repository,
  { roles, notify, policy }: EpicSettings,
  io: Io,
  isGone: (by: string) => boolean,
): EpicWorkers {
  const env = Object.fromEntries(
    Object.entries(io.env).filter((each): each is [string, string] => each[1] !== undefined),
  ) as Environment;
  const command = createCommand("banksman.epic");
  const folder = join(repository.state, "epics");
  const runner = [process.execPath, process.argv[1] ?? "", "epic", "work"];
  const { workers } = policy;
  const isAhead = createIsAhead(command, repository, io.env);
  const find = async (program: string) =>
    (await import("../../adapters/process/agents.ts")).createAgents(io.env).find(program, repository.root);
  const places = { folder, root: repository.root, env, workers, runner, isGone, isAhead, find };
  const commands = createCommandWorkers(places);
  return {
    roles: createRoleCommands(command, {
      root: repository.root,
      files: systemFiles,
      env,
      roles,
      askCli: async (...asked) => (await import("./wire-role-cli.ts")).askRoleCli(repository, io, env, asked),
    }),
    dispatcher: createSentOnce(
      folder,
      byMode(commands, () => wireSessionWorkers(repository, io, env, isAhead), policy),
    ),
    notifier:
      notify === null
        ? { notify: async () => undefined }
        : createNotices(command, { folder: join(folder, "notices"), argv: notify, env }),
  };
}

/** Loaded only where one is sent or out: they need the supervisor's client. */
async function wireSessionWorkers(
  repository: Repository,
  io: Io,
  env: Environment,
  isAhead: (branch: string) => Promise<boolean>,
): Promise<Dispatcher> {
  const { createSessionWorkers } = await import("../../adapters/epic/session-workers.ts");
  const { createSessionClient } = await import("../supervisor/session-client.ts");
  const { wireConfig, wirePorts } = await import("./wire-ports.ts");
  const { findCli } = await import("../../modes/session/find-cli.ts");
  const whyNot = async (name: string) => {
    const { settings } = wireConfig(repository, io.env);
    const found = await findCli(wirePorts(repository, io.env).agents, repository.root, resolveCli(settings, name));
    return "kind" in found ? found : null;
  };
  return createSessionWorkers(createSessionClient(repository, env), { isAhead, whyNot });
}

/** Each worker by its mode. */
const byMode = (commands: Dispatcher, sessions: () => Promise<Dispatcher>, { workers }: Policy): Dispatcher => ({
  dispatch: async (effect, epic, place) => {
    const mode = workers.get(effect.worker)?.mode;
    if (mode === "pipeline") return "this version has no pipeline yet";
    return (mode === "command" ? commands : await sessions()).dispatch(effect, epic, place);
  },
  unable: async (names) => {
    const of = (mode: Worker["mode"]) => names.filter((name) => (workers.get(name)?.mode ?? "session") === mode);
    const [inSession, byCommand] = [of("session"), of("command")];
    return new Map([
      ...of("pipeline").map((name) => [name, "needs the pipeline, which this version does not have"] as const),
      ...(await commands.unable(byCommand)),
      ...(inSession.length === 0 ? [] : await (await sessions()).unable(inSession)),
    ]);
  },
  observe: async (epic) => [...(await commands.observe(epic)), ...(await (await sessions()).observe(epic))],
});
