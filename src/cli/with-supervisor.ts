import type { Line } from "../broker/client.ts";
import { connect, type IfNone } from "./connect.ts";
import type { Here } from "./place.ts";
import { shutDown } from "./shut-down.ts";

/**
 * Works with the repository's supervisor, and leaves none behind that has nothing to supervise: one that was started
 * only for this command, or whose session has ended. Whether that is so it decides itself, in turn with what others
 * ask of it meanwhile.
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
    // What went wrong in the work is what has to be said.
    await shutDown(here, line, true).catch(() => undefined);
  }
}
