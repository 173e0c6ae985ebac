import { agentLane } from "../../core/agents/reduce-assignment.ts";
import type { Saying } from "../../core/record/publish.ts";
import type { Recording } from "../journal/recording.ts";
import type { Transaction } from "../journal/transaction.ts";

/** Stores messages, all or none, with what `also` puts. Resolves with their seqs; whom they wake is woken. */
export function publish(
  { journal, clock }: Recording,
  messages: readonly Saying[],
  also: (transaction: Transaction) => void = () => {},
): Promise<number[]> {
  return journal.transact((transaction) => {
    also(transaction);
    return messages.map((message) => transaction.say(message, clock.now()));
  });
}

/** The same for what people and supervising models say: an agent that had finished goes on with it. */
export const publishAndWake: typeof publish = (context, messages, also = () => {}) =>
  publish(context, messages, (transaction) => {
    also(transaction);
    for (const { message } of messages)
      if (message.type === "agent.feedback" || message.type === "agent.answer")
        transaction.send(agentLane(message.agent_id), { type: "told-more" });
  });
