import { freshCursor } from "../../core/messages/cursors.ts";
import { everyAssignment, plannedPanes, sessionOf } from "../../core/session/read-session.ts";
import { type AgentId, SUPERVISOR } from "../../core/text/ids.ts";
import type { Scene } from "../../core/views/snapshot.ts";
import type { Store } from "../../ports/store.ts";
import type { AgentProcesses } from "../agents/agent-processes.ts";
import type { Journal } from "../journal/journal.ts";
import { isUnheard } from "../messages/unheard.ts";

type Seen = Pick<Scene, "session" | "assignments" | "roster" | "questions" | "inbox" | "live" | "unheard" | "trouble">;

/** Everything a snapshot is drawn from, as memory and journal have it now. */
export async function look(journal: Journal, store: Store, processes: AgentProcesses): Promise<Seen> {
  const readers = [...journal.roster.values()].map(({ agent, joined }) => {
    const { delivered, acted } = journal.cursor(agent) ?? freshCursor(agent);
    return { reader: agent, joined, delivered, acted: Math.min(acted, delivered) };
  });
  const counts = readers.length === 0 ? [] : await store.inboxCounts(readers);
  const inbox = new Map<AgentId, { undelivered: number; unacted: number }>();
  for (const { reader, undelivered, unacted } of counts) inbox.set(reader, { undelivered, unacted });
  const positions = new Map(
    plannedPanes(journal).map(({ role, agent, position }) => [role === "supervisor" ? SUPERVISOR : agent, position]),
  );
  const live = processes.all().filter(([, { heard }]) => heard.exit === null);
  return {
    session: sessionOf(journal),
    trouble: journal.trouble,
    assignments: everyAssignment(journal),
    roster: [...journal.roster.values()],
    questions: [...journal.openQuestions.values()],
    unheard: new Map([...journal.unheardSince].filter(([agent]) => isUnheard(journal, agent))),
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
