import type { Instant } from "../../src/core/text/ids.ts";
import type { Clock } from "../../src/ports/clock.ts";

/** Time that passes when told to. */
export class FakeClock implements Clock {
  private waiting: { at: number; wake(): void }[] = [];

  constructor(private time = 1_000_000) {}

  now(): Instant {
    return this.time as Instant;
  }

  after(ms: number, wake: () => void): () => void {
    const entry = { at: this.time + ms, wake };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((each) => each !== entry);
    };
  }

  /** Lets time pass, waking everybody on the way, in order. */
  pass(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = this.waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.waiting = this.waiting.filter((each) => each !== next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.time = until;
  }
}
