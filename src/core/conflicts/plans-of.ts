import { agentLane } from "../agents/reduce-assignment.ts";
import type { JournalView } from "../record/journal-view.ts";
import { type AgentId, SUPERVISOR } from "../text/ids.ts";
import type { Plans } from "./plans.ts";

/** What an agent plans and has modified, as the journal has it now; null for one that is not in the roster. */
export function plansOf(view: JournalView, agent: AgentId): Plans | null {
  const entry = view.entry(agent);
  if (entry === null || agent === SUPERVISOR) return null;
  return { agent, files: entry.files, intent: view.intent(agent), owned: view.state(agentLane(agent))?.owned ?? [] };
}

export function* everyonesPlans(view: JournalView): Iterable<Plans> {
  for (const agent of view.roster.keys()) {
    const plans = plansOf(view, agent);
    if (plans !== null) yield plans;
  }
}
