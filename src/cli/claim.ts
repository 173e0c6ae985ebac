import { chmodSync, mkdirSync, renameSync, statSync } from "node:fs";
import { Failed } from "../core/failure.ts";
import type { Store } from "../ports/store.ts";
import { type Here, logFile, readRun } from "./place.ts";
import { wireStore } from "./wire-store.ts";

const MOST_LOG_BYTES = 5 * 1024 * 1024;

/**
 * Takes the repository: its lock and its journal, in one go. Small, so that it can be begun before the rest of the
 * supervisor is even loaded. Rejects with `supervisor.other`, naming it, when somebody else has the repository.
 */
export async function claim(here: Here): Promise<Store> {
  makeState(here.state);
  trimLog(here.state);
  try {
    return await wireStore(here);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== "supervisor.other") throw error;
    const run = readRun(here.state);
    throw new Failed({ kind: "supervisor.other", pid: run?.pid ?? null, url: run?.url ?? null });
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
