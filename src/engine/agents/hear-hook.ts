import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { hookEvent, readHook } from "../../core/clis/hook-word.ts";
import { kindNamed } from "../../core/clis/kinds.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording, Waking } from "../journal/recording.ts";
import { pendingInterrupt } from "../messages/pending-interrupt.ts";
import type { AgentProcesses } from "./agent-processes.ts";
import { PaneAgent } from "./pane-agent.ts";

type Needs = Recording & Waking & Pick<Ports, "store"> & { readonly processes: AgentProcesses };

/**
 * Takes in what an agent's CLI says through a hook. Headless ones say the same over their channel, and better. Answers
 * with what the CLI is to be told in return: what waits for it, where it takes that from a hook, so that a busy agent
 * hears it after its next step instead of after its turn.
 */
export async function hearHook(context: Needs, agent: AgentId, payload: unknown): Promise<string | null> {
  const word = readHook(payload);
  const mine = context.processes.get(agent);
  if (word === null || mine === null || !(mine.process instanceof PaneAgent)) return null;
  const now = context.clock.now();
  mine.heard.lastSign = now;
  if (word.session !== null && word.session !== mine.process.conversation) {
    mine.process.conversation = word.session;
    mine.heard.events.push({ type: "session", id: word.session });
  }
  // Told before it is seen to be at its prompt: else the same would be typed there, too.
  const told = await tellByHook(context, agent, mine.process, hookEvent(payload));
  mine.process.hear(told === null ? word : { ...word, state: "working" }, now);
  context.wake(agentLane(agent).key);
  return told;
}

async function tellByHook(context: Needs, agent: AgentId, process: PaneAgent, event: string): Promise<string | null> {
  const assignment = context.journal.state(agentLane(agent));
  const takes = assignment === null ? [] : (kindNamed(assignment.cli.protocol)?.toldByHooks ?? []);
  if (process.isTypedTo || !takes.includes(event)) return null;
  const interrupt = await pendingInterrupt(context, agent);
  if (interrupt === null || process.isTypedTo) return null;
  await interrupt.record();
  return interrupt.text;
}
