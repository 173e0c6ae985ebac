import { isComingUp } from "../../core/agents/assignment.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import type { Instant } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { PredictionKeeper } from "../conflicts/keep-predictions.ts";
import type { Recording } from "../journal/recording.ts";
import type { Place } from "../loop/place.ts";
import { RefsWatch } from "./watch-refs.ts";
import { WatchedWorktree } from "./watch-worktree.ts";
import { type Target, targetsOf } from "./work-targets.ts";

/** However the hints are: so often every worktree is looked at. */
const RECONCILE_MS = 30_000;
/** While agents are being started, the machine checks out trees: so long the first look at a worktree may wait. */
const STARTING_MS = 5_000;

interface Needs extends Recording, Pick<Ports, "git" | "watcher"> {
  readonly predictions: PredictionKeeper;
  readonly place: Pick<Place, "repository">;
  readonly held: boolean;
}

/**
 * Sees what is edited and committed in every worktree, and tells it in the agents' names. The system's hints say when to
 * look; a look by git says what is so.
 */
export function watchWork(context: Needs, onError: (error: unknown) => void): () => void {
  const watched = new Map<string, WatchedWorktree>();
  const refs = new RefsWatch(context, (paths) => {
    for (const each of watched.values()) if (paths?.some((path) => each.concerns(path)) !== false) each.markChanged();
    if (paths === null || paths.some((path) => path.endsWith(`/refs/heads/${context.predictions.base() ?? ""}`)))
      context.predictions.moved();
  });
  let startingSince: Instant | null = null;
  let cancelBegin = () => {};
  /** How long worktrees that are new may still wait for their first look. */
  const waitToBegin = (): number => {
    const now = context.clock.now();
    startingSince = assignmentsOf(context.journal).some(isComingUp) ? (startingSince ?? now) : null;
    return startingSince === null ? 0 : startingSince + STARTING_MS - now;
  };
  const refresh = () => {
    const wanted = context.held ? [] : targetsOf(context.journal);
    const keys = new Set(wanted.map(keyOf));
    for (const [key, each] of watched) {
      if (keys.has(key)) continue;
      watched.delete(key);
      each.stop();
    }
    const added = wanted.filter((target) => !watched.has(keyOf(target)));
    const wait = added.length === 0 ? 0 : waitToBegin();
    cancelBegin();
    if (wait > 0) cancelBegin = context.clock.after(wait, refresh);
    for (const target of wait > 0 ? [] : added) {
      const fresh = new WatchedWorktree(context, target, onError);
      watched.set(keyOf(target), fresh);
      fresh.begin();
    }
    refs.wanted(wanted.length > 0);
  };
  const stop = context.journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) refresh();
  });
  let cancel = () => {};
  const reconcile = () => {
    for (const each of watched.values()) each.reconcile();
    refs.reconcile();
    cancel = context.clock.after(RECONCILE_MS, reconcile);
  };
  cancel = context.clock.after(RECONCILE_MS, reconcile);
  refresh();
  return () => {
    stop();
    cancel();
    cancelBegin();
    for (const each of watched.values()) each.stop();
    refs.wanted(false);
  };
}

const keyOf = ({ agent, worktree }: Target): string => `${agent}\0${worktree}`;
