import type { Connection } from "../../broker/client.ts";
import type { Repository } from "../wire/find-repository.ts";
import { connect, type IfNone } from "./connect.ts";
import { shutDown } from "./shut-down.ts";

/**
 * Works with the repository's supervisor, and leaves none behind that has nothing to supervise: one that was started
 * only for this command, or whose session has ended. Whether that is so it decides itself, in turn with what others
 * ask of it meanwhile.
 */
export async function withSupervisor<T>(
  repository: Repository,
  ifNone: IfNone,
  work: (connection: Connection & { readonly started: boolean }) => Promise<T>,
): Promise<T> {
  const connection = await connect(repository, ifNone);
  try {
    return await work(connection);
  } finally {
    // What went wrong in the work is what has to be said.
    await shutDown(repository, connection, true).catch(() => undefined);
  }
}
