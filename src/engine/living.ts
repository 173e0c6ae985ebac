import type { AgentEvent, Exit } from "../core/events.ts";
import { Failed } from "../core/failure.ts";
import type { AgentId, Instant, RunId } from "../core/ids.ts";
import type { LiveAgent } from "../ports/agent-cli.ts";

/** An agent's process as this supervisor holds it: what is observed of it, and what it has said since the last tick. */
export interface Living {
  readonly run: RunId;
  readonly process: LiveAgent;
  readonly heard: Heard;
}

/** Filled from the process's side while it runs. */
export interface Heard {
  lastSign: Instant | null;
  events: AgentEvent[];
  exit: Exit | null;
}

/** The processes we have, by agent. Nothing of it is stored: after a crash it is empty, and so are they. */
export class LivingAgents {
  private readonly byAgent = new Map<AgentId, Living>();

  get(agent: AgentId): Living | null {
    return this.byAgent.get(agent) ?? null;
  }

  set(agent: AgentId, living: Living): void {
    this.byAgent.set(agent, living);
  }

  /** Takes out what a tick has folded in: only that, for more may have come meanwhile. */
  fold(agent: AgentId, events: readonly AgentEvent[], exit: Exit | null): void {
    const living = this.byAgent.get(agent);
    if (living === undefined) return;
    living.heard.events = living.heard.events.slice(events.length);
    if (exit !== null && living.heard.exit === exit) this.byAgent.delete(agent);
  }

  /** The process of a run. Throws `agent.not-running`. */
  running(run: RunId): LiveAgent {
    const living = [...this.byAgent.values()].find((each) => each.run === run && each.heard.exit === null);
    if (living === undefined) throw new Failed({ kind: "agent.not-running", agent: run });
    return living.process;
  }

  all(): [AgentId, Living][] {
    return [...this.byAgent];
  }
}
