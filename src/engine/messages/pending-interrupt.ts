import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { freshCursor, tellsOf } from "../../core/messages/cursors.ts";
import { tellAgent } from "../../core/messages/wording.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording } from "../journal/recording.ts";
import { isUnheard, readUnheard } from "./unheard.ts";

/** What a busy agent is to hear before its turn is over. */
export interface Interrupt {
  readonly text: string;
  /** Records that it was told. */
  record(): Promise<void>;
}

/** Null when nothing waits that should wake it, or it is to be left alone. */
export async function pendingInterrupt(
  context: Recording & Pick<Ports, "store">,
  agent: AgentId,
): Promise<Interrupt | null> {
  const { journal, clock } = context;
  const assignment = journal.state(agentLane(agent));
  if (assignment === null || assignment.paused || !isUnheard(journal, agent)) return null;
  const { messages, told, nothingElse } = await readUnheard(context, agent);
  if (messages.length === 0) return null;
  const record = () =>
    journal.transact(({ put }) => {
      const cursor = journal.cursor(agent) ?? freshCursor(agent);
      put({ row: "cursor", put: tellsOf(cursor, { seq: told, nothingElse }, clock.now()) });
    });
  return { text: tellAgent(messages), record };
}
