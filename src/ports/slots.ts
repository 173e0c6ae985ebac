import type { Branch, Commit } from "../core/text/ids.ts";

/**
 * Checkouts that are nobody's: gates run in them. Each slot has a folder, a home and a folder for temporary files, always
 * at the same paths, and a git repository of its own that borrows the objects of ours: what a gate does to its refs or its
 * config reaches nobody. Rejects with `disk.full`, `repository.filters` or the failure that fits.
 */
export interface Slots {
  place(slot: number): SlotPlace;
  /** The slot holds exactly the files of this commit, with nothing else in its folder, its home or its temporary folder. */
  lay(slot: number, order: LayOrder): Promise<void>;
  /** Tracked files that are not as in the tree, by their content. They are put back. */
  putBack(slot: number, tree: string): Promise<readonly string[]>;
  /** Keeps what is in the slot besides tracked files, under a key; there are only a few keys. */
  keep(slot: number, key: string): Promise<void>;
  /** Brings that back, as a copy; false where there is none. */
  bring(slot: number, key: string): Promise<boolean>;
  /** Removes all slots. */
  clear(): Promise<void>;
}

export interface SlotPlace {
  readonly folder: string;
  readonly home: string;
  readonly temporary: string;
}

export interface LayOrder {
  readonly commit: Commit;
  /** A branch the gates find in its repository, as they would in a clone: where the work is to land. */
  readonly base: { readonly branch: Branch; readonly commit: Commit };
  /** Further folders of objects, where a commit is that only we have. */
  readonly objects?: readonly string[];
}
