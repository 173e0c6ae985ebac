import type { Instant } from "../core/text/ids.ts";

export interface Clock {
  now(): Instant;
  /** Calls `wake` once after `ms`; the returned function cancels it. A pending call does not keep the process alive. */
  after(ms: number, wake: () => void): () => void;
}
