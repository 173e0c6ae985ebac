/** What one answer of the log holds at most, in bytes of messages: a few long ones, or a thousand usual ones. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** How many of these fit into a page, from the first on. One always does: a page never stays empty where there is more. */
export function countFitting(sizes: readonly number[], most = PAGE_BYTES): number {
  let bytes = 0;
  const over = sizes.findIndex((size) => {
    bytes += size;
    return bytes > most;
  });
  return over === -1 ? sizes.length : Math.max(1, over);
}
