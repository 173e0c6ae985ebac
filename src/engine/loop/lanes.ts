import type { Instant, LaneKey } from "../../core/text/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ticked, TickingKind } from "./tick-lane.ts";

/** How long a lane rests after a tick that threw: the store may be full, a disk away. */
const REST_MS = 1_000;
/** Timers cannot be longer than 24 days; a lane that is woken too early arms another one. */
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * One queue per key: ticks of a lane follow each other, lanes run side by side. A wake during a tick means one more
 * tick after it, however many wakes there were.
 */
export class Lanes {
  private readonly running = new Map<LaneKey, { again: boolean }>();
  /** What wakes a lane later. */
  private readonly alarms = new Map<LaneKey, () => void>();
  private stopped = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly kinds: readonly TickingKind[],
    private readonly clock: Clock,
    private readonly onError: (lane: LaneKey, error: unknown) => void,
  ) {}

  wake(lane: LaneKey): void {
    if (this.stopped) return;
    const run = this.running.get(lane);
    if (run) run.again = true;
    else void this.drive(lane);
  }

  /** No new ticks; resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const cancel of this.alarms.values()) cancel();
    if (this.running.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async drive(lane: LaneKey): Promise<void> {
    const run = { again: true };
    this.running.set(lane, run);
    this.cancelAlarm(lane);
    try {
      let wakeAt: Instant | null = null;
      while (run.again && !this.stopped) {
        run.again = false;
        const ticked = await this.tick(lane);
        if (ticked.more) run.again = true;
        wakeAt = ticked.wakeAt;
      }
      if (wakeAt !== null) this.wakeIn(lane, Math.max(0, wakeAt - this.clock.now()));
    } catch (error) {
      this.onError(lane, error);
      this.wakeIn(lane, REST_MS);
    }
    this.running.delete(lane);
    if (this.running.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /** A lane that nobody registered has nothing to do. */
  private tick(lane: LaneKey): Promise<Ticked> | Ticked {
    for (const kind of this.kinds) {
      const ticked = kind.tick(lane);
      if (ticked !== null) return ticked;
    }
    return { more: false, wakeAt: null };
  }

  private wakeIn(lane: LaneKey, ms: number): void {
    if (this.stopped) return;
    this.alarms.set(
      lane,
      this.clock.after(Math.min(ms, LONGEST_MS), () => this.wake(lane)),
    );
  }

  private cancelAlarm(lane: LaneKey): void {
    this.alarms.get(lane)?.();
    this.alarms.delete(lane);
  }
}
