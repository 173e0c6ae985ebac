import { createHistory } from "../../adapters/git/history.ts";
import { createFilesObserver } from "../../adapters/git/observe-files.ts";
import { createCommand } from "../../adapters/process/command.ts";
import { readInside } from "../../adapters/system/inside.ts";
import { realPath } from "../../adapters/system/real-path.ts";
import type { Repository } from "./find-repository.ts";

/** A lock file of a large project. */
const MOST_BYTES = 16 * 1024 * 1024;

/** How the facts for decisions on commands are observed. */
export function wirePolicy({ commonDir }: Repository, env: NodeJS.ProcessEnv) {
  const command = createCommand("banksman.cli");
  return {
    observeFiles: createFilesObserver(command, commonDir, env),
    history: createHistory(command, commonDir, env),
    realPath: (path: string) => realPath(path),
    read: (root: string, name: string): string | null => readInside(root, name, MOST_BYTES),
  };
}
