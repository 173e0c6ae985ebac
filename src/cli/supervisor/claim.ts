import { chmodSync, mkdirSync, renameSync, statSync } from "node:fs";
import { Failed } from "../../core/failure/failed.ts";
import type { Store } from "../../ports/store.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireStore } from "../wire/wire-store.ts";
import { logFile, readSupervisorFile } from "./state-files.ts";

const MOST_LOG_BYTES = 5 * 1024 * 1024;

/**
 * Takes the repository: its lock and its journal, in one go. Small, so that it can be begun before the rest of the
 * supervisor is even loaded. Rejects with `supervisor.other`, naming it, when somebody else has the repository.
 */
export async function claim(repository: Repository): Promise<Store> {
  makeState(repository.state);
  trimLog(repository.state);
  try {
    return await wireStore(repository);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== "supervisor.other") throw error;
    const { otherHolder } = await import("../wire/read-holder.ts");
    const other = otherHolder(repository);
    const run = readSupervisorFile(other?.state || repository.state);
    const pid = run?.pid ?? other?.pid ?? null;
    throw new Failed({ kind: "supervisor.other", pid, url: run?.url ?? null, state: other?.state ?? null });
  }
}

/** Ours alone, whatever it was before. */
export function makeState(state: string): void {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    chmodSync(state, 0o700);
  } catch (error) {
    throw new Failed({ kind: "file.failed", path: state, detail: (error as Error).message });
  }
}

function trimLog(state: string): void {
  try {
    if (statSync(logFile(state)).size > MOST_LOG_BYTES) renameSync(logFile(state), `${logFile(state)}.1`);
  } catch {
    // There is none yet.
  }
}
