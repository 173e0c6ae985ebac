import { freshCursor } from "../../core/messages/cursors.ts";
import { type Telling, TellingPicker } from "../../core/messages/telling.ts";
import { inboxBegins } from "../../core/session/read-session.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Journal } from "../journal/journal.ts";

const PAGE = 500;

/** What an agent is to be told now, of all it has not read. */
export async function readUnheard(
  { store, journal }: Pick<Ports, "store"> & { readonly journal: Journal },
  reader: AgentId,
): Promise<Telling> {
  const cursor = journal.cursor(reader) ?? freshCursor(reader);
  const { joined, from } = inboxBegins(journal, reader, true);
  const picker = new TellingPicker(cursor);
  for (let after = Math.max(cursor.delivered, from); ; ) {
    const page = await store.inbox({ reader, after, joined, limit: PAGE });
    after = page.at(-1)?.seq ?? after;
    if (page.length === 0 || !picker.add(page)) return picker.telling();
  }
}

/** Whether a message waits that should wake it. */
export function isUnheard(journal: Journal, agent: AgentId): boolean {
  const { delivered, told } = journal.cursor(agent) ?? freshCursor(agent);
  return (journal.waking.get(agent) ?? 0) > Math.max(delivered, told);
}
