/**
 * Where epics are kept. Every call rejects with `file.failed` or `disk.full` where the store cannot be used: that is not the same
 * as there being nothing.
 */
export interface EpicStore {
  /** Null when there is none. */
  read(place: string): Promise<StoredEpic | null>;
  /**
   * Old or new, never a mixture, and only if it is still what `version` was given for (null: only if there is none).
   * Tells whether it was saved; where it was not, nothing has changed. Of two at once one saves.
   */
  save(place: string, text: string, version: string | null): Promise<boolean>;
  /** The places of a folder that hold one; empty when there is no such folder. */
  list(folder: string): Promise<string[]>;
}

export interface StoredEpic {
  /** Null where it is not a text, or too long to be an epic. */
  readonly text: string | null;
  /** Says what it is exactly: another text, another version. */
  readonly version: string;
}
