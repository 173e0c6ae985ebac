import type { AgentId } from "../core/ids.ts";

/** Who is waiting at its inbox right now: it will have its messages by that way, and need not be told twice. */
export class Polling {
  private readonly waiting = new Map<AgentId, number>();

  /** Until the returned function is called. */
  begin(agent: AgentId): () => void {
    this.waiting.set(agent, (this.waiting.get(agent) ?? 0) + 1);
    return () => {
      const left = (this.waiting.get(agent) ?? 1) - 1;
      if (left === 0) this.waiting.delete(agent);
      else this.waiting.set(agent, left);
    };
  }

  has(agent: AgentId): boolean {
    return this.waiting.has(agent);
  }
}
