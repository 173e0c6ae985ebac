import type { Command } from "../../ports/command.ts";
import type { RepositoryFolders } from "./locate.ts";
import { GitRunner } from "./run.ts";

/** Whether a branch has commits that HEAD has not; no for one that is not there. */
export function createIsAhead(command: Command, { root, commonDir }: RepositoryFolders, env: NodeJS.ProcessEnv) {
  const git = new GitRunner(command, root, env, { commonDir });
  return async (branch: string): Promise<boolean> => {
    const args = ["rev-list", "--count", "--max-count=1", "--end-of-options", `HEAD..refs/heads/${branch}`, "--"];
    return (await git.text(args, { timeoutMs: 30_000, answers: [128] })) === "1";
  };
}
