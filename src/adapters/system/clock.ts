import type { Instant } from "../../core/text/ids.ts";
import type { Clock } from "../../ports/clock.ts";

export const systemClock: Clock = {
  now: () => Date.now() as Instant,
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
