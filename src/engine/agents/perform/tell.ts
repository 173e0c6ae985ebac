import { tellAgent } from "../../../core/messages/wording.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Journal } from "../../journal/journal.ts";
import { readUnheard } from "../../messages/unheard.ts";
import type { AgentProcesses } from "../agent-processes.ts";
import type { Performer } from "./performer.ts";

interface Needs extends Pick<Ports, "store"> {
  readonly journal: Journal;
  readonly processes: AgentProcesses;
}

/** Gives the agent what should wake it. What does not stays unread. */
export const performTell: Performer<"agent.tell", Needs> = async (needs, { agent, run }) => {
  const { messages, told, nothingElse } = await readUnheard(needs, agent);
  if (messages.length > 0) {
    const typed = await needs.processes.running(run).tell(tellAgent(messages), `tell-${told}`);
    if (typed !== "submitted") return { ok: true, told: null, typed };
  }
  return { ok: true, told: { seq: told, nothingElse } };
};
