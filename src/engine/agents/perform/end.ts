import type { Ports } from "../../../ports/ports.ts";
import type { AgentProcesses } from "../agent-processes.ts";
import type { Performer } from "./performer.ts";

interface Needs extends Pick<Ports, "agents"> {
  readonly processes: AgentProcesses;
  arrange(): Promise<void>;
}

/** Ended when no process of the run is left, whether it was our child or a leftover. */
export const performEnd: Performer<"agent.end", Needs> = async ({ processes, agents, arrange }, { run }) => {
  const mine = processes.all().find(([, each]) => each.run === run)?.[1];
  if (mine !== undefined) await mine.process.end();
  if (mine?.process.pane) await arrange();
  await agents.endLeftovers(run);
  return { ok: true };
};
