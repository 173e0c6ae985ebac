import type { Connection } from "./connection.ts";

/**
 * Where the broadcasts are, in memory: counting them row by row for every reader took minutes with a thousand agents
 * and a million messages, and commits wait meanwhile. Reads what is new each time it is asked.
 */
export class Broadcasts {
  private readonly all: number[] = [];
  private readonly bySender = new Map<string, number[]>();

  catchUp(db: Connection): this {
    for (const { seq, sender } of db.all<{ seq: number; sender: string }>(NEWER, this.all.at(-1) ?? 0)) {
      this.all.push(seq);
      const own = this.bySender.get(sender);
      if (own === undefined) this.bySender.set(sender, [seq]);
      else own.push(seq);
    }
    return this;
  }

  /** How many are beyond `seq`, and not the reader's own. */
  countFor(reader: string, seq: number): number {
    return beyond(this.all, seq) - beyond(this.bySender.get(reader) ?? [], seq);
  }
}

const NEWER = `
  SELECT i.seq, m.sender FROM inbox i JOIN messages m ON m.seq = i.seq
  WHERE i.recipient = '*' AND i.seq > ? ORDER BY i.seq`;

/** How many of the sorted numbers are larger. */
function beyond(sorted: readonly number[], than: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > than) high = middle;
    else low = middle + 1;
  }
  return sorted.length - low;
}
