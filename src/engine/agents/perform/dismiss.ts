import type { Ports } from "../../../ports/ports.ts";
import type { AgentProcesses } from "../agent-processes.ts";
import type { Performer } from "./performer.ts";

type Needs = Pick<Ports, "agents"> & { readonly processes: AgentProcesses };

/** Gone when no process of the run is left; how it ended is its exit's to say. */
export const performDismiss: Performer<"agent.dismiss", Needs> = async ({ processes, agents }, { run }) => {
  const mine = processes.all().find(([, each]) => each.run === run)?.[1];
  if (mine?.process.resting) await mine.process.dismiss();
  await agents.endLeftovers(run);
  return { ok: true };
};
