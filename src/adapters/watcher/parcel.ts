import { lstatSync, readdirSync } from "node:fs";
import type { Event } from "@parcel/watcher";
import { Failed } from "../../core/failure/failed.ts";
import type { Watcher } from "../../ports/watcher.ts";

/**
 * One watch per folder, by the system's own means: ten worktrees of 50,000 files need 25,510 of them, where one per file
 * needs more than Linux has. It gathers what happens within 50 ms. Loaded only where something is watched: native code.
 */
export function createParcelWatcher(): Watcher {
  const spoilt = new Map<string, number>();
  return {
    async watch({ folder, ignore, onChanged, onLost }) {
      const detour = DETOUR.repeat(spoilt.get(folder) ?? 0);
      const away = (path: string) => `${detour}${path}`;
      const hear = (error: Error | null, events: readonly Event[]) => {
        const lost = error?.message ?? lostCount(away(folder), events);
        if (lost !== null) onLost(lost);
        else onChanged(events.map(({ path }) => path.slice(detour.length)));
      };
      try {
        const { subscribe } = (await import("@parcel/watcher")).default;
        const subscription = await subscribe(away(folder), hear, { ignore: ignore.map(away) });
        return async () => {
          await subscription.unsubscribe().catch(() => spoilt.set(folder, (spoilt.get(folder) ?? 0) + 1));
        };
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        throw new Failed({ kind: "watch.refused", folder, detail });
      }
    },
  };
}

/**
 * The same folder by another name. Once folders were renamed and removed, ending a watch fails on Linux (the system has
 * ended a part of it already); nothing is heard of it any more, but what it knew of the folder stays, and a new watch by
 * the same name would believe that instead of looking.
 */
const DETOUR = "/proc/self/root";

/** The system queues 16,384 events, some of them several for one path, and beyond that it drops them silently. */
const MANY = 2_000;

/**
 * Why some of what happens would not be heard of; null if all is well. On Linux a folder that is made or moved here is
 * watched from then on, but not what is inside already: `mkdir -p a/b` can be faster than the watch on `a`.
 */
function lostCount(folder: string, events: readonly Event[]): string | null {
  if (events.length >= MANY) return "too much at once";
  if (events.some(({ path, type }) => type === "delete" && path === folder)) return "the folder is gone";
  if (process.platform !== "linux") return null;
  const heard = new Set(events.map(({ path }) => path));
  const unheard = events.some(
    ({ path, type }) => type !== "delete" && foldersIn(path).some((name) => !heard.has(`${path}/${name}`)),
  );
  return unheard ? "a folder came with folders in it" : null;
}

function foldersIn(path: string): string[] {
  try {
    if (!lstatSync(path).isDirectory()) return [];
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
