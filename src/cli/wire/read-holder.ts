import { type Holder, readHolder } from "../../adapters/sqlite/lock.ts";
import { Failed } from "../../core/failure/failed.ts";
import { lockFile } from "../supervisor/state-files.ts";
import type { Repository } from "./find-repository.ts";

/** The supervisor that owns this repository and is not ours to talk to: it has another state folder. Null where none has. */
export function otherHolder(repository: Repository): Holder | null {
  const path = lockFile(repository);
  try {
    const holder = readHolder(path);
    return holder === null || holder.state === repository.state ? null : holder;
  } catch (error) {
    throw new Failed({ kind: "file.failed", path, detail: (error as Error).message });
  }
}
