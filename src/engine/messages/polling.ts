import type { AgentId } from "../../core/text/ids.ts";

/** Who is waiting at its inbox right now: it will have its messages by that way, and need not be told twice. */
export class Polling {
  private readonly waiting = new Map<AgentId, number>();
  private readonly reading = new Map<AgentId, Set<() => void>>();

  /** Until the returned function is called. */
  begin(agent: AgentId): () => void {
    this.waiting.set(agent, (this.waiting.get(agent) ?? 0) + 1);
    return () => {
      const left = (this.waiting.get(agent) ?? 1) - 1;
      if (left === 0) this.waiting.delete(agent);
      else this.waiting.set(agent, left);
    };
  }

  /** It has looked, and will say in a moment what it has read: it counts as waiting until `release`, or until `end`. */
  hold(agent: AgentId, end: () => void): () => void {
    const mine = this.reading.get(agent) ?? new Set();
    this.reading.set(agent, mine);
    const once = () => {
      if (mine.delete(once)) end();
    };
    mine.add(once);
    return once;
  }

  release(agent: AgentId): void {
    for (const end of [...(this.reading.get(agent) ?? [])]) end();
  }

  has(agent: AgentId): boolean {
    return this.waiting.has(agent);
  }

  count(agent: AgentId): number {
    return this.waiting.get(agent) ?? 0;
  }
}
