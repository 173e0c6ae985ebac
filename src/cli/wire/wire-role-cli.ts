import type { Environment } from "../../core/clis/environment.ts";
import type { RoleAnswer } from "../../core/epic/decide/tick.ts";
import { explain } from "../../core/failure/explain.ts";
import { resolveCli } from "../../core/session/settings.ts";
import type { RunId } from "../../core/text/ids.ts";
import { askCli } from "../../modes/epic/ask-cli.ts";
import type { Io } from "../command.ts";
import type { Repository } from "./find-repository.ts";
import { built, wireConfig, wirePorts } from "./wire-ports.ts";

/** A role that a coding CLI of the config plays. Loaded only where one does. */
export async function askRoleCli(
  repository: Repository,
  io: Pick<Io, "env">,
  env: Environment,
  [name, role, prompt, timeoutSeconds]: readonly [string, string, string, number],
): Promise<RoleAnswer> {
  const cli = resolveCli(wireConfig(repository, io.env).settings, name);
  if ("kind" in cli) return { failed: explain(cli).message };
  const place = {
    root: repository.root,
    state: repository.state,
    repository: repository.commonDir,
    program: [process.execPath, built("bin.cjs")],
  };
  const run = `banksman.role.${process.pid}.${role}` as RunId;
  return askCli(wirePorts(repository, io.env), { role, cli, prompt, timeoutSeconds, place, env, run });
}
