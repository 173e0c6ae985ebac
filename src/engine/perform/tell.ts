import { tellAgent } from "../../core/wording.ts";
import { readUnheard } from "../unheard.ts";
import type { Performer } from "./perform.ts";

/** Gives the agent what should wake it. What does not stays unread. */
export const performTell: Performer<"agent.tell"> = async (house, { agent, run }) => {
  const { messages, told, nothingElse } = await readUnheard(house, agent);
  if (messages.length > 0) {
    const typed = await house.living.running(run).tell(tellAgent(messages), `tell-${told}`);
    if (typed !== "submitted") return { ok: true, typed };
  }
  return { ok: true, told: { seq: told, nothingElse } };
};
