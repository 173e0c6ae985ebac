import type { LaneKey } from "../core/ids.ts";
import type { Clock } from "../ports/clock.ts";

/** How long a lane rests after a tick that threw: the store may be full, a disk away. */
const REST_MS = 1_000;

/**
 * One queue per key: ticks of a lane follow each other, lanes run side by side. A wake during a tick means one more
 * tick after it, however many wakes there were.
 */
export class Lanes {
  private readonly running = new Map<LaneKey, { again: boolean }>();
  private readonly resting = new Map<LaneKey, () => void>();
  private stopped = false;
  private idle: (() => void)[] = [];

  constructor(
    /** One turn; true when there is more to do at once. */
    private readonly tick: (lane: LaneKey) => Promise<boolean>,
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
    for (const cancel of this.resting.values()) cancel();
    if (this.running.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async drive(lane: LaneKey): Promise<void> {
    const run = { again: true };
    this.running.set(lane, run);
    this.resting.get(lane)?.();
    this.resting.delete(lane);
    try {
      while (run.again && !this.stopped) {
        run.again = false;
        if (await this.tick(lane)) run.again = true;
      }
    } catch (error) {
      this.onError(lane, error);
      if (!this.stopped)
        this.resting.set(
          lane,
          this.clock.after(REST_MS, () => this.wake(lane)),
        );
    }
    this.running.delete(lane);
    if (this.running.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
