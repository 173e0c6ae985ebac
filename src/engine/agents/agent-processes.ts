import type { AgentEvent, Exit } from "../../core/clis/events.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentId, Instant, RunId } from "../../core/text/ids.ts";
import type { LiveAgent } from "../../ports/agent-cli.ts";

/** An agent's process as this supervisor holds it: what is observed of it, and what it has said since the last tick. */
export interface LaunchedAgent {
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
export class AgentProcesses {
  private readonly byAgent = new Map<AgentId, LaunchedAgent>();

  get(agent: AgentId): LaunchedAgent | null {
    return this.byAgent.get(agent) ?? null;
  }

  set(agent: AgentId, launched: LaunchedAgent): void {
    this.byAgent.set(agent, launched);
  }

  /** Takes out what a tick has folded in: only that, for more may have come meanwhile. */
  fold(agent: AgentId, events: readonly AgentEvent[], exit: Exit | null): void {
    const launched = this.byAgent.get(agent);
    if (launched === undefined) return;
    launched.heard.events = launched.heard.events.slice(events.length);
    if (exit !== null && launched.heard.exit === exit) this.byAgent.delete(agent);
  }

  /** The process of a run. Throws `agent.not-running`. */
  running(run: RunId): LiveAgent {
    const launched = [...this.byAgent.values()].find((each) => each.run === run && each.heard.exit === null);
    if (launched === undefined) throw new Failed({ kind: "agent.not-running", agent: run });
    return launched.process;
  }

  all(): [AgentId, LaunchedAgent][] {
    return [...this.byAgent];
  }
}
