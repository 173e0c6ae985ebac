import { Failed } from "../../core/failure.ts";
import type { Watcher } from "../../ports/watcher.ts";

/**
 * One watch per folder, by the system's own means: ten worktrees of 50,000 files need 25,510 of them, where one per file
 * needs more than Linux has. It gathers what happens within 50 ms. Loaded only where something is watched: native code.
 */
export function createWatcher(): Watcher {
  return {
    async watch({ folder, ignore, onHint, onLost }) {
      const refused = (error: unknown) =>
        new Failed({ kind: "watch.refused", folder, detail: error instanceof Error ? error.message : String(error) });
      try {
        const { subscribe } = (await import("@parcel/watcher")).default;
        const subscription = await subscribe(
          folder,
          (error, events) => (error ? onLost(error.message) : onHint(events.map(({ path }) => path))),
          { ignore: [...ignore] },
        );
        return () => subscription.unsubscribe();
      } catch (error) {
        throw refused(error);
      }
    },
  };
}
