import type { AgentProcesses } from "../agent-processes.ts";
import type { Performer } from "./performer.ts";

/** Typed as the first prompt. Performed again after a crash it finds by its mark what was typed already. */
export const performBrief: Performer<"agent.brief", { readonly processes: AgentProcesses }> = async (
  { processes },
  { run, brief },
) => ({ ok: true, typed: await processes.running(run).tell(brief, `brief-${run}`) });
