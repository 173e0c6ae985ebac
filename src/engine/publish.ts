import { type AgentId, agentLane } from "../core/ids.ts";
import type { Envelope } from "../core/parse-message.ts";
import { accept } from "../core/publish.ts";
import { subject } from "../core/roster.ts";
import { route } from "../core/routing.ts";
import { wakes } from "../core/waking.ts";
import { followUp, plansOf } from "./conflict-watch.ts";
import type { House } from "./house.ts";

/** Takes messages in, all or none, and resolves with their seqs once they are stored. Whom they wake is woken. */
export async function publish(
  house: Pick<House, "journal" | "clock" | "wake">,
  envelopes: readonly Envelope[],
): Promise<number[]> {
  const { journal, clock } = house;
  const warned: AgentId[] = [];
  const seqs = await journal.transact((put) =>
    envelopes.map((envelope) => {
      const agent = subject(envelope.message);
      const before = agent === null ? null : plansOf(journal, agent);
      for (const change of accept(journal, envelope, clock.now())) put(change);
      const seq = journal.head;
      if (agent !== null) warned.push(...followUp(journal, put, agent, before, clock.now()));
      return seq;
    }),
  );
  for (const agent of new Set([...woken(envelopes), ...warned]))
    if (journal.lanes.has(agentLane(agent))) house.wake(agentLane(agent));
  return seqs;
}

const woken = (envelopes: readonly Envelope[]): Set<AgentId> =>
  new Set(envelopes.flatMap(({ message }) => route(message).to.filter((agent) => wakes(message.type, agent))));
