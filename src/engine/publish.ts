import type { Change } from "../core/changes.ts";
import { type AgentId, agentLane } from "../core/ids.ts";
import type { Envelope } from "../core/parse-message.ts";
import { accept, isCommit, nudgeAfter } from "../core/publish.ts";
import { subject } from "../core/roster.ts";
import { route } from "../core/routing.ts";
import type { Run } from "../core/run.ts";
import { wakes } from "../core/waking.ts";
import { followUp, plansOf } from "./conflict-watch.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { everyRun, sessionOf } from "./look.ts";

/**
 * Takes messages in, all or none, and resolves with their seqs once they are stored, with what `also` puts. Whom they
 * wake is woken.
 */
export async function publish(
  house: Pick<House, "journal" | "clock" | "wake">,
  envelopes: readonly Envelope[],
  also: (put: (change: Change) => void) => void = () => {},
): Promise<number[]> {
  const { journal, clock } = house;
  const warned: AgentId[] = [];
  const concerned: AgentId[] = [];
  const seqs = await journal.transact((put) => {
    also(put);
    return envelopes.map((envelope) => {
      const agent = subject(envelope.message);
      const before = agent === null ? null : plansOf(journal, agent);
      for (const change of accept(journal, envelope, clock.now())) put(change);
      const seq = journal.head;
      if (isCommit(envelope.message))
        concerned.push(envelope.message.agent_id, ...endPauses(journal, put, envelope.message.agent_id));
      const nudge = sessionOf(journal)?.nudge === false ? null : nudgeAfter(envelope.message);
      if (nudge !== null)
        for (const change of accept(journal, { message: nudge, key: null, re: null }, clock.now())) put(change);
      warned.push(...followUp(journal, put, envelope.message, before, clock.now()));
      return seq;
    });
  });
  for (const agent of new Set([...woken(envelopes), ...warned, ...concerned]))
    if (journal.lanes.has(agentLane(agent))) house.wake(agentLane(agent));
  return seqs;
}

/** Those who were to wait until this one commits. */
function endPauses(journal: Journal, put: (change: Change) => void, committed: AgentId): AgentId[] {
  const waiting = everyRun(journal).filter(({ paused, pausedUntil }) => paused && pausedUntil === committed);
  for (const run of waiting)
    put(journal.laneChange(agentLane(run.agent), { ...run, paused: false, pausedUntil: null } satisfies Run));
  return waiting.map(({ agent }) => agent);
}

const woken = (envelopes: readonly Envelope[]): Set<AgentId> =>
  new Set(envelopes.flatMap(({ message }) => route(message).to.filter((agent) => wakes(message.type, agent))));
