import { wakes } from "../../core/waking.ts";
import { tellAgent } from "../../core/wording.ts";
import type { Performer } from "./perform.ts";

const MOST_AT_ONCE = 50;

/** Gives the agent what should wake it. Up to the last message looked at, everything counts as delivered. */
export const performTell: Performer<"agent.tell"> = async (
  { living, store, journal },
  { agent: reader, run, after },
) => {
  const joined = journal.entry(reader)?.joined ?? 0;
  const messages = await store.inbox({ reader, after, joined, limit: MOST_AT_ONCE });
  const waking = messages.filter(({ message }) => wakes(message.type));
  if (waking.length > 0) await living.running(run).tell(tellAgent(waking));
  return { ok: true, delivered: Math.max(after, ...messages.map(({ seq }) => seq)) };
};
