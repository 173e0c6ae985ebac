import { playRole } from "../../adapters/epic/role-commands.ts";
import { createCommand } from "../../adapters/process/command.ts";
import type { Environment } from "../../core/clis/environment.ts";
import type { ReviewerAnswer } from "../../core/gates/governance/review.ts";
import type { Repository } from "./find-repository.ts";
import { wireConfig } from "./wire-ports.ts";

/** Whoever plays the role `reviewer` in the config; `person` where nobody does. */
export async function askReviewer(
  repository: Repository,
  env: Environment,
  marker: string,
  prompt: string,
): Promise<ReviewerAnswer> {
  const role = wireConfig(repository, env).epic.roles.get("reviewer");
  if (role === undefined) return { person: true };
  const places = {
    root: repository.root,
    env,
    askCli: async (...asked: readonly [string, string, string, number]) =>
      (await import("./wire-role-cli.ts")).askRoleCli(repository, { env }, env, asked),
  };
  return playRole(createCommand(marker), places, "reviewer", role, prompt);
}
