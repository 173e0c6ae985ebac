import type { Instant } from "../../text/ids.ts";
import { later } from "../../text/instant.ts";
import type { Epic } from "../file/epic.ts";

/** How long one lease lasts: longer than any role may think. */
export const LEASE_MS = 20 * 60_000;

/**
 * The epic with a lease that ends within its own length from now. One that ends later was written by a clock ahead of ours,
 * or by hand. The file then says when it ends by our clock, so that the next tick does not count from the beginning.
 */
export function boundLease(epic: Epic, now: Instant): Epic {
  const { lease } = epic;
  const latest = later(now, LEASE_MS);
  return lease === null || lease.until <= latest ? epic : { ...epic, lease: { ...lease, until: latest } };
}
