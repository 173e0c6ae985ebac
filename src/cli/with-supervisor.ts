import type { Line } from "../broker/client.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { ask, connect, type IfNone } from "./connect.ts";
import type { Here } from "./place.ts";
import { shutDown } from "./shut-down.ts";

/**
 * Works with the repository's supervisor, and leaves none behind that has nothing to supervise: one that was started
 * only for this command, or whose session has ended, or that was refused the session it was started for.
 */
export async function withSupervisor<T>(
  here: Here,
  ifNone: IfNone,
  work: (line: Line & { readonly started: boolean }) => Promise<T>,
): Promise<T> {
  const line = await connect(here, ifNone);
  try {
    return await work(line);
  } finally {
    const { status, agents } = await ask<Snapshot>(line, "/snapshot");
    const forThis = line.started && ifNone === "hold";
    if (forThis || status !== "active" || agents.length === 0) await shutDown(here, line);
  }
}
