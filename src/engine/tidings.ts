import { freshCursor, tellsOf } from "../core/cursors.ts";
import { type AgentId, agentLane } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import { tellAgent } from "../core/wording.ts";
import type { House } from "./house.ts";
import { isUnheard, readUnheard } from "./unheard.ts";

/** What a busy agent is to hear before its turn is over. */
export interface Tidings {
  readonly text: string;
  /** That it was told. */
  record(): Promise<void>;
}

/** Null when nothing waits that should wake it, or it is to be left alone. */
export async function tidingsFor(house: House, agent: AgentId): Promise<Tidings | null> {
  const { journal, clock } = house;
  const run = journal.state<Run>(agentLane(agent));
  if (run === null || run.paused || !isUnheard(house, agent)) return null;
  const { messages, told, nothingElse } = await readUnheard(house, agent);
  if (messages.length === 0) return null;
  const record = () =>
    journal.transact((put) => {
      const cursor = journal.cursor(agent) ?? freshCursor(agent);
      put({ row: "cursor", put: tellsOf(cursor, told, nothingElse, clock.now()) });
    });
  return { text: tellAgent(messages), record };
}
