import type { Connection } from "../../broker/client.ts";
import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Io } from "../command.ts";
import { requireRepository } from "../repository.ts";
import type { Repository } from "../wire/find-repository.ts";
import { act, connect } from "./connect.ts";
import { sessionStatus } from "./reader.ts";

/** An action that makes sense only while the session runs: without a supervisor it is refused, not started for. */
export async function actRunning<Result>(io: Io, action: Action): Promise<Result> {
  return act<Result>(await connectRunning(await requireRepository(io)), action);
}

/** Rejects with `session.none` or `session.not-running`, whichever is true. */
export async function connectRunning(repository: Repository): Promise<Connection> {
  try {
    return await connect(repository, "never");
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== "supervisor.none") throw error;
    const isHere = (await sessionStatus(repository)) !== "none";
    throw new Failed({ kind: isHere ? "session.not-running" : "session.none" });
  }
}
