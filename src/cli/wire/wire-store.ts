import { openSqliteStore } from "../../adapters/sqlite/store.ts";
import type { Store } from "../../ports/store.ts";
import { journalFile, lockFile } from "../supervisor/state-files.ts";
import type { Repository } from "./find-repository.ts";

const worker = new URL("./sqlite-worker.mjs", import.meta.url);

/** The journal with the repository's lock: whoever has it is the supervisor. Apart from wire.ts, to be begun first. */
export const wireStore = (repository: Repository): Promise<Store> =>
  openSqliteStore({
    path: journalFile(repository.state),
    worker,
    lock: { path: lockFile(repository), holder: { pid: process.pid, state: repository.state } },
  });

/** The journal as it was left, for reading while no supervisor runs. */
export const wireReader = (repository: Repository): Promise<Store> =>
  openSqliteStore({ path: journalFile(repository.state), worker, look: true });
