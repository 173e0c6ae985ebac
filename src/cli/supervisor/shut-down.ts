import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../broker/client.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Repository } from "../wire/find-repository.ts";
import { act } from "./connect.ts";
import { lives, readSupervisorFile } from "./state-files.ts";

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/** Asks the supervisor to go (with `idle`, only if it has nothing to do), and waits until its process has gone. */
export async function shutDown(repository: Repository, connection: Connection, idle = false): Promise<void> {
  const pid = readSupervisorFile(repository.state)?.pid ?? null;
  const { leaves } = await act<{ leaves: boolean }>(connection, { type: "shutdown", idle });
  const deadline = performance.now() + PATIENCE_MS;
  while (leaves && pid !== null && lives(pid)) {
    if (performance.now() > deadline) throw new Failed({ kind: "supervisor.silent", pid });
    await sleep(LOOK_EVERY_MS);
  }
}
