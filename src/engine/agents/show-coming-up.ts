import { move } from "../../core/messages/roster.ts";
import { everyAssignment } from "../../core/session/read-session.ts";
import type { Recording } from "../journal/recording.ts";
import type { Transaction } from "../journal/transaction.ts";
import type { AgentProcesses } from "./agent-processes.ts";

/**
 * Agents that are wanted and have no process are starting, from this moment on. Until its lane has looked, the roster
 * would show how an agent was when a supervisor looked last, and whoever waits for it would not wait.
 */
export function showComingUp(
  { journal, clock, processes }: Recording & { readonly processes: AgentProcesses },
  { put }: Transaction,
): void {
  for (const { agent, wanted, ended } of everyAssignment(journal)) {
    const entry = journal.entry(agent);
    if (entry !== null && wanted === "up" && ended === null && processes.get(agent) === null)
      put({ row: "roster", put: move(entry, "starting", clock.now(), "planned") });
  }
}
