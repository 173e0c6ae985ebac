import type { Clock } from "../ports/clock.ts";

export interface RefreshSoon {
  readonly clock: Clock;
  /** What is asked for within this time is served by one run. */
  readonly gatherMs: number;
  /** How long after a failure it is tried again. */
  readonly againMs: number;
  refresh(): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Refreshes a moment after it was asked, never twice at a time: asked while it runs, it runs once more afterwards. What
 * fails is tried again until it works or is stopped.
 */
export function createRefreshSoon({ clock, gatherMs, againMs, refresh, onError }: RefreshSoon) {
  /** A run is to come, or under way; and whether it was asked for since that began. */
  let waiting = false;
  let again = false;
  let stopped = false;
  let cancel = () => {};
  const ask = (ms = gatherMs): void => {
    again = true;
    if (waiting || stopped) return;
    waiting = true;
    cancel = clock.after(ms, () => void run());
  };
  const run = async (): Promise<void> => {
    let pause = gatherMs;
    again = false;
    try {
      await refresh();
    } catch (error) {
      again = true;
      pause = againMs;
      onError(error);
    }
    waiting = false;
    if (again) ask(pause);
  };
  return {
    ask: () => ask(),
    stop() {
      stopped = true;
      cancel();
    },
  };
}
