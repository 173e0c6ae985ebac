import { openSqliteStore } from "../adapters/sqlite/store.ts";
import type { Store } from "../ports/store.ts";
import { type Here, journalFile, lockFile } from "./place.ts";

const worker = new URL("./sqlite-worker.mjs", import.meta.url);

/** The journal with the repository's lock: whoever has it is the supervisor. Apart from wire.ts, to be begun first. */
export const wireStore = (here: Here): Promise<Store> =>
  openSqliteStore({ path: journalFile(here.state), worker, lock: lockFile(here.state) });

/** The journal as it was left, for reading while no supervisor runs. */
export const wireReader = (here: Here): Promise<Store> =>
  openSqliteStore({ path: journalFile(here.state), worker, look: true });
