import { existsSync, readdirSync } from "node:fs";
import type { Command } from "../../ports/command.ts";
import type { RepositoryFolders } from "./locate.ts";
import { GitRunner } from "./run.ts";

/** Names in the folder where the repository's own hooks are at the moment; git's samples are among them. */
export async function ownHooks(
  command: Command,
  { root, commonDir }: Pick<RepositoryFolders, "root" | "commonDir">,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  // Without the settings our own calls get: they say where hooks are not to be looked for.
  const call = { env: { GIT_CONFIG_COUNT: "0" } };
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "hooks"];
  const folder = await new GitRunner(command, root, env, { commonDir }).text(args, call);
  return existsSync(folder) ? readdirSync(folder) : [];
}
