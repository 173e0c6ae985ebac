import type { Action } from "../core/actions/actions.ts";
import type { Snapshot } from "../core/views/snapshot.ts";

/** The repository's session, as a program beside its supervisor sees it. */
export interface SessionClient {
  /** What is there now; null while no supervisor runs, or none answers. Starts nothing. */
  look(): Promise<Snapshot | null>;
  /** The supervisor, started if need be. Its calls reject with `Failed` where it refuses or cannot be reached. */
  open(): Promise<{
    snapshot(): Promise<Snapshot>;
    act(action: Action): Promise<unknown>;
  }>;
}
