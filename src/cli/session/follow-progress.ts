import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../broker/client.ts";
import type { Progress } from "../../engine/context.ts";
import type { Io } from "../command.ts";
import { ask } from "../supervisor/connect.ts";

/** What is done sooner needs no word. */
const LOOK_EVERY_MS = 2_000;

/** Says on stderr how far the supervisor is with what was asked of it, while that takes long. */
export async function followProgress<T>(io: Io, connection: Connection, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  void say(io, connection, over.signal);
  return work.finally(() => over.abort());
}

async function say(io: Io, connection: Connection, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      const { progress } = await ask<{ readonly progress?: Progress }>(connection, "/status");
      if (progress !== undefined && !signal.aborted)
        io.err(`${progress.what}: ${progress.done} of ${progress.of} files\n`);
    }
  } catch {
    // It is done, or nobody answers: then the work itself says so.
  }
}
