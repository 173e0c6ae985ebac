import type { Instant } from "../text/ids.ts";

/** A token bucket: `burst` at once, `perSecond` in the long run. */
export interface Bucket {
  readonly tokens: number;
  readonly at: Instant;
}

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** What a message may have on average, and at once for each that a burst has. */
const BYTES_PER_MESSAGE = 4 * 1024;
const BYTES_PER_BURST = 40 * 1024;

/** The same limit for bytes: messages may be long, but not all of them. `largest` is always granted to who was silent. */
export const inBytes = ({ perSecond, burst }: RateLimit, largest: number): RateLimit => ({
  perSecond: perSecond * BYTES_PER_MESSAGE,
  burst: Math.max(largest, burst * BYTES_PER_BURST),
});

export interface Draw {
  readonly bucket: Bucket;
  /** Null when it was granted, else how long to wait. */
  readonly waitMs: number | null;
}

/**
 * Takes `count` tokens or none. More than the burst is granted to a full bucket, which then owes them: else such a list
 * could never be published. A clock that goes backwards refills nothing and loses nothing.
 */
export function draw(bucket: Bucket | null, count: number, limit: RateLimit, now: Instant): Draw {
  const before = bucket ?? { tokens: limit.burst, at: now };
  const at = Math.max(before.at, now) as Instant;
  const passed = at - before.at;
  const tokens = Math.min(limit.burst, before.tokens + (passed * limit.perSecond) / 1000);
  const needed = Math.min(count, limit.burst);
  if (tokens >= needed) return { bucket: { tokens: tokens - count, at }, waitMs: null };
  return { bucket: { tokens, at }, waitMs: Math.ceil(((needed - tokens) * 1000) / limit.perSecond) };
}
