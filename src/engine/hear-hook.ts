import { kindNamed } from "../core/clis/kinds.ts";
import { freshCursor, tellsOf } from "../core/cursors.ts";
import { hookEvent, readHook } from "../core/hook-word.ts";
import { type AgentId, agentLane } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import { tellAgent } from "../core/wording.ts";
import type { House } from "./house.ts";
import { PaneAgent } from "./pane-agent.ts";
import { isUnheard, readUnheard } from "./unheard.ts";

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
  const { journal, clock } = house;
  const run = journal.state<Run>(agentLane(agent));
  const takes = run === null ? [] : (kindNamed(run.cli.protocol)?.toldByHooks ?? []);
  if (run === null || run.paused || process.isTypedTo || !takes.includes(event) || !isUnheard(house, agent))
    return null;
  const { messages, told, nothingElse } = await readUnheard(house, agent);
  if (messages.length === 0 || process.isTypedTo) return null;
  await journal.transact((put) => {
    const cursor = journal.cursor(agent) ?? freshCursor(agent);
    put({ row: "cursor", put: tellsOf(cursor, told, nothingElse, clock.now()) });
  });
  return tellAgent(messages);
}
