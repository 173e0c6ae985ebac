import type { Environment } from "../../core/environment.ts";
import { explain } from "../../core/explain.ts";
import type { RunId } from "../../core/ids.ts";
import { resolveCli } from "../../core/settings.ts";
import { askCli } from "../../modes/epic/ask-cli.ts";
import type { RoleAnswer } from "../../ports/epic-hands.ts";
import type { Io } from "../command.ts";
import type { Here } from "../place.ts";
import { built, wireConfig, wireWorld } from "../wire.ts";

/** A role that a coding CLI of the config plays. Loaded only where one does. */
export async function askRoleCli(
  here: Here,
  io: Io,
  env: Environment,
  [name, role, prompt, timeoutSeconds]: readonly [string, string, string, number],
): Promise<RoleAnswer> {
  const cli = resolveCli(wireConfig(here, io.env).settings, name);
  if ("kind" in cli) return { failed: explain(cli).message };
  const place = {
    root: here.root,
    state: here.state,
    repository: here.commonDir,
    program: [process.execPath, built("bin.cjs")],
  };
  const run = `banksman.role.${process.pid}.${role}` as RunId;
  return askCli(wireWorld(here, io.env), { role, cli, prompt, timeoutSeconds, place, env, run });
}
