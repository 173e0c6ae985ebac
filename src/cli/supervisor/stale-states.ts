import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { judgeState, type StaleEntry, type StaleResult } from "../../core/session/stale.ts";
import { stateHome } from "../wire/find-repository.ts";
import { journalFile, readSupervisorFile, repositoryFile } from "./state-files.ts";

/** State folders of other repositories, as far as those are gone. Removing one loses its message log, nothing else. */
export function staleStates(env: NodeJS.ProcessEnv): StaleResult {
  const home = stateHome(env);
  const removed: StaleEntry[] = [];
  const kept: StaleEntry[] = [];
  for (const name of existsSync(home) ? readdirSync(home) : []) {
    const path = join(home, name);
    if (!existsSync(journalFile(path))) continue;
    const { root, commonDir } = repositoryOf(path);
    const above = root === null ? null : dirname(root);
    const verdict = judgeState({
      root,
      there: commonDir !== null && existsSync(commonDir),
      aboveThere: above !== null && existsSync(above) && readdirSync(above).length > 0,
      running: readSupervisorFile(path) !== null,
    });
    if (verdict === null) continue;
    (verdict.goes ? removed : kept).push({ kind: "state", path, why: verdict.why, files: 0, backup: null });
  }
  return { removed, kept };
}

export const removeState = ({ path }: StaleEntry): void => rmSync(path, { recursive: true, force: true });

function repositoryOf(state: string): { root: string | null; commonDir: string | null } {
  try {
    const { root, commonDir } = JSON.parse(readFileSync(repositoryFile(state), "utf8")) as Record<string, unknown>;
    if (typeof root === "string" && typeof commonDir === "string") return { root, commonDir };
  } catch {
    // Written by an older version, or by nobody: then it is not known, and left alone.
  }
  return { root: null, commonDir: null };
}
