import type { AgentId } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { PaneId } from "../../ports/tmux.ts";
import type { AgentProcesses } from "../agents/agent-processes.ts";

export interface ScreenView {
  readonly agent: AgentId;
  /** Null for one without a screen: headless, or not running. */
  readonly screen: string | null;
}

/** What an agent's pane shows now. */
export async function viewScreen(
  { processes, tmux }: Pick<Ports, "tmux"> & { readonly processes: AgentProcesses },
  agent: AgentId,
): Promise<ScreenView> {
  const pane = processes.get(agent)?.process.pane ?? null;
  return { agent, screen: pane === null ? null : await tmux.capture(pane as PaneId) };
}
