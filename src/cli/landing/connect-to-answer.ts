import type { Connection } from "../../broker/client.ts";
import { Failed } from "../../core/failure/failed.ts";
import { connectRunning } from "../supervisor/act-running.ts";
import { connect } from "../supervisor/connect.ts";
import { openReader } from "../supervisor/reader.ts";
import type { Repository } from "../wire/find-repository.ts";

/** What verifying or landing has asked can be answered without a session: a supervisor is started that goes on with it. */
export async function connectToAnswer(repository: Repository, ids: readonly string[]): Promise<Connection> {
  try {
    return await connectRunning(repository);
  } catch (error) {
    const absent = error instanceof Failed && ["session.none", "session.not-running"].includes(error.failure.kind);
    if (!absent || !(await areForLanes(repository, ids))) throw error;
    return connect(repository, "hold");
  }
}

async function areForLanes(repository: Repository, ids: readonly string[]): Promise<boolean> {
  const reader = await openReader(repository);
  const open = await reader.questions().finally(() => reader.close());
  return ids.every((id) => open.some((each) => each.id === id && (each.kind === "gate" || each.kind === "decision")));
}
