import type { Environment } from "../../core/clis/environment.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { SessionClient } from "../../ports/session-client.ts";
import type { Repository } from "../wire/find-repository.ts";
import { act, ask, connect } from "./connect.ts";
import { connectionTo, readSupervisorFile } from "./state-files.ts";

/** The repository's session over HTTP. */
export const createSessionClient = (repository: Repository, env: Environment): SessionClient => ({
  async look() {
    const file = readSupervisorFile(repository.state);
    if (file === null) return null;
    return ask<Snapshot>(connectionTo(repository, file, env), "/snapshot").catch(() => null);
  },
  async open() {
    const connection = await connect(repository, "recover");
    return {
      snapshot: () => ask<Snapshot>(connection, "/snapshot"),
      act: (action) => act(connection, action),
    };
  },
});
