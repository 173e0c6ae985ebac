import type { Action } from "../core/actions.ts";
import { Failed } from "../core/failure.ts";
import type { Io } from "./command.ts";
import { act, connect } from "./connect.ts";
import { requireHere } from "./here.ts";

/** An action that makes sense only while the session runs: without a supervisor it is refused, not started for. */
export async function actRunning<Result>(io: Io, action: Action): Promise<Result> {
  try {
    return await act<Result>(await connect(await requireHere(io), "never"), action);
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "supervisor.none")
      throw new Failed({ kind: "session.not-running" });
    throw error;
  }
}
