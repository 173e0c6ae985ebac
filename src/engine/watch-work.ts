import type { House } from "./house.ts";
import { RefsWatch } from "./watch-refs.ts";
import { WatchedWorktree } from "./watch-worktree.ts";
import { type Target, targetsOf } from "./work-targets.ts";

/** However the hints are: so often every worktree is looked at. */
const RECONCILE_MS = 30_000;

/**
 * Sees what is edited and committed in every worktree, and tells it in the agents' names. The system's hints say when to
 * look; a look by git says what is so.
 */
export function watchWork(house: House, onError: (error: unknown) => void): () => void {
  const watched = new Map<string, WatchedWorktree>();
  const refs = new RefsWatch(house, (paths) => {
    for (const each of watched.values()) if (paths?.some((path) => each.concerns(path)) !== false) each.stir();
    if (paths === null || paths.some((path) => path.endsWith(`/refs/heads/${house.outlook.base() ?? ""}`)))
      house.outlook.moved();
  });
  const refresh = () => {
    const wanted = house.held ? [] : targetsOf(house.journal);
    const keys = new Set(wanted.map(keyOf));
    for (const [key, each] of watched) {
      if (keys.has(key)) continue;
      watched.delete(key);
      each.stop();
    }
    for (const target of wanted) {
      if (watched.has(keyOf(target))) continue;
      const fresh = new WatchedWorktree(house, target, onError);
      watched.set(keyOf(target), fresh);
      fresh.begin();
    }
    refs.wanted(wanted.length > 0);
  };
  const stop = house.journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) refresh();
  });
  let cancel = () => {};
  const reconcile = () => {
    for (const each of watched.values()) each.reconcile();
    refs.reconcile();
    cancel = house.clock.after(RECONCILE_MS, reconcile);
  };
  cancel = house.clock.after(RECONCILE_MS, reconcile);
  refresh();
  return () => {
    stop();
    cancel();
    for (const each of watched.values()) each.stop();
    refs.wanted(false);
  };
}

const keyOf = ({ agent, worktree }: Target): string => `${agent}\0${worktree}`;
