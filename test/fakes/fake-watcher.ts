import { Failed } from "../../src/core/failure/failed.ts";
import { below } from "../../src/core/text/paths.ts";
import type { Watcher, WatchOrder } from "../../src/ports/watcher.ts";

/** Hints when it is told that something changed. */
export class FakeWatcher implements Watcher {
  private readonly orders = new Set<WatchOrder>();
  /** How often a watch was begun. */
  begun = 0;
  /** Folders the system has no watches left for. */
  readonly refused = new Set<string>();

  async watch(order: WatchOrder): Promise<() => Promise<void>> {
    if (this.refused.has(order.folder))
      throw new Failed({ kind: "watch.refused", folder: order.folder, detail: "No space left on device" });
    this.orders.add(order);
    this.begun++;
    return async () => void this.orders.delete(order);
  }

  change(path: string): void {
    for (const { folder, ignore, onChanged } of this.orders)
      if (below(path, folder) && !ignore.some((each) => below(path, each))) onChanged([path]);
  }

  /** The system lost count of what happens below a folder. */
  lose(folder: string): void {
    for (const order of this.orders) if (order.folder === folder) order.onLost("too much at once");
  }

  get folders(): string[] {
    return [...this.orders].map(({ folder }) => folder).sort();
  }
}
