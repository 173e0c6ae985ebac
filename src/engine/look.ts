import { freshCursor } from "../core/cursors.ts";
import { type AgentId, agentLane, laneAgent, SESSION_LANE, SUPERVISOR } from "../core/ids.ts";
import { type PanePlan, planPanes } from "../core/layout.ts";
import type { Run } from "../core/run.ts";
import type { Session } from "../core/session.ts";
import type { Scene } from "../core/snapshot.ts";
import type { Store } from "../ports/store.ts";
import type { Journal } from "./journal.ts";
import type { LivingAgents } from "./living.ts";
import { isUnheard } from "./unheard.ts";

/** The agents' runs, in the order they are shown. A supervising model is none of them: it has no branch to look after. */
export const runsOf = (journal: Journal): Run[] => everyRun(journal).filter(({ agent }) => agent !== SUPERVISOR);

/** The same, with the supervising model's first where there is one: for what all programs of a session have in common. */
export function everyRun(journal: Journal): Run[] {
  const runs = [...journal.lanes.values()]
    .filter(({ lane }) => laneAgent(lane) !== null)
    .map(({ state }) => state as Run);
  return runs.sort((a, b) => a.position - b.position);
}

/** The model in pane 0; null where the console is. */
export const supervisingRun = (journal: Journal): Run | null => journal.state<Run>(agentLane(SUPERVISOR));

export const sessionOf = (journal: Journal): Session | null => journal.state<Session>(SESSION_LANE);

/** The panes this session should have, from what is recorded; none for a headless one. */
export function plannedPanes({ journal }: { readonly journal: Journal }): PanePlan[] {
  const arrangement = sessionOf(journal)?.arrangement ?? null;
  if (arrangement === null) return [];
  const shown = runsOf(journal).filter((run) => run.terminal && run.wanted === "up");
  return planPanes(
    arrangement,
    shown.map(({ agent, branch }) => ({ id: agent, branch })),
  );
}

/** No session, or one in which nobody is brought up: nothing is lost by leaving. */
export function isIdle({ journal, held }: { readonly journal: Journal; readonly held: boolean }): boolean {
  const session = sessionOf(journal);
  return held || session === null || session.status === "stopped" || runsOf(journal).length === 0;
}

type Seen = Pick<Scene, "session" | "runs" | "roster" | "questions" | "inbox" | "live" | "unheard">;

/** Everything a snapshot is drawn from, as memory and journal have it now. */
export async function look(journal: Journal, store: Store, living: LivingAgents): Promise<Seen> {
  const readers = [...journal.roster.values()].map(({ agent, joined }) => {
    const { delivered, acted } = journal.cursor(agent) ?? freshCursor(agent);
    return { reader: agent, joined, delivered, acted: Math.min(acted, delivered) };
  });
  const counts = readers.length === 0 ? [] : await store.inboxCounts(readers);
  const inbox = new Map<AgentId, { undelivered: number; unacted: number }>();
  for (const { reader, undelivered, unacted } of counts) inbox.set(reader, { undelivered, unacted });
  const positions = new Map(
    plannedPanes({ journal }).map(({ role, agent, position }) => [
      role === "supervisor" ? SUPERVISOR : agent,
      position,
    ]),
  );
  const live = living.all().filter(([, { heard }]) => heard.exit === null);
  return {
    session: sessionOf(journal),
    runs: everyRun(journal),
    roster: [...journal.roster.values()],
    questions: [...journal.openQuestions.values()],
    unheard: new Map([...journal.unheardSince].filter(([agent]) => isUnheard({ journal }, agent))),
    inbox,
    live: new Map(
      live.map(([agent, { process, heard }]) => {
        const position = positions.get(agent);
        const pane = position === undefined || process.pane === null ? null : { id: process.pane, position };
        return [agent, { pid: process.pid, lastSign: heard.lastSign, pane }];
      }),
    ),
  };
}
