import { readHook } from "../core/hook-word.ts";
import { type AgentId, agentLane } from "../core/ids.ts";
import type { House } from "./house.ts";
import { PaneAgent } from "./pane-agent.ts";

/** Takes in what an agent's CLI says through a hook. Headless ones say the same over their channel, and better. */
export function hearHook(house: House, agent: AgentId, payload: unknown): void {
  const word = readHook(payload);
  const mine = house.living.get(agent);
  if (word === null || mine === null || !(mine.process instanceof PaneAgent)) return;
  const now = house.clock.now();
  mine.heard.lastSign = now;
  if (word.session !== null && word.session !== mine.process.conversation) {
    mine.process.conversation = word.session;
    mine.heard.events.push({ type: "session", id: word.session });
  }
  mine.process.hear(word, now);
  house.wake(agentLane(agent));
}
