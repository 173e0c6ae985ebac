import { kindNamed } from "../core/clis/kinds.ts";
import { hookEvent, readHook } from "../core/hook-word.ts";
import { type AgentId, agentLane } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import type { House } from "./house.ts";
import { PaneAgent } from "./pane-agent.ts";
import { tidingsFor } from "./tidings.ts";

/**
 * Takes in what an agent's CLI says through a hook. Headless ones say the same over their channel, and better. Answers
 * with what the CLI is to be told in return: what waits for it, where it takes that from a hook, so that a busy agent
 * hears it after its next step instead of after its turn.
 */
export async function hearHook(house: House, agent: AgentId, payload: unknown): Promise<string | null> {
  const word = readHook(payload);
  const mine = house.living.get(agent);
  if (word === null || mine === null || !(mine.process instanceof PaneAgent)) return null;
  const now = house.clock.now();
  mine.heard.lastSign = now;
  if (word.session !== null && word.session !== mine.process.conversation) {
    mine.process.conversation = word.session;
    mine.heard.events.push({ type: "session", id: word.session });
  }
  // Told before it is seen to be at its prompt: else the same would be typed there, too.
  const told = await tellByHook(house, agent, mine.process, hookEvent(payload));
  mine.process.hear(told === null ? word : { ...word, state: "working" }, now);
  house.wake(agentLane(agent));
  return told;
}

async function tellByHook(house: House, agent: AgentId, process: PaneAgent, event: string): Promise<string | null> {
  const run = house.journal.state<Run>(agentLane(agent));
  const takes = run === null ? [] : (kindNamed(run.cli.protocol)?.toldByHooks ?? []);
  if (process.isTypedTo || !takes.includes(event)) return null;
  const tidings = await tidingsFor(house, agent);
  if (tidings === null || process.isTypedTo) return null;
  await tidings.record();
  return tidings.text;
}
