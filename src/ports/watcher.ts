/**
 * Tells that something changed on disk. What it says is a hint and never the truth: some changes come together, some may
 * be missed. Whoever hears it looks.
 */
export interface Watcher {
  /**
   * Watches a folder and everything below it that is not ignored; resolves once it does, with what ends it. Rejects
   * with `watch.refused` where the system has no watches left, or the folder cannot be watched.
   */
  watch(order: WatchOrder): Promise<() => Promise<void>>;
}

export interface WatchOrder {
  readonly folder: string;
  /** Absolute paths of folders and files below it. */
  readonly ignore: readonly string[];
  /** Absolute paths, as far as they are known. */
  onChanged(paths: readonly string[]): void;
  /** It does not watch any more, or has lost count: who depends on it looks at everything, and watches anew. */
  onLost(detail: string): void;
}
