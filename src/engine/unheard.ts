import { freshCursor } from "../core/cursors.ts";
import type { AgentId } from "../core/ids.ts";
import type { StoredMessage } from "../core/messages.ts";
import { pickTelling, type Telling } from "../core/telling.ts";
import type { House } from "./house.ts";

const PAGE = 500;

/** What an agent is to be told now, of all it has not read. */
export async function readUnheard(
  { store, journal }: Pick<House, "store" | "journal">,
  reader: AgentId,
): Promise<Telling> {
  const cursor = journal.cursor(reader) ?? freshCursor(reader);
  const joined = journal.entry(reader)?.joined ?? 0;
  const unread: StoredMessage[] = [];
  for (let after = cursor.delivered; ; after = unread.at(-1)?.seq ?? after) {
    const page = await store.inbox({ reader, after, joined, limit: PAGE });
    unread.push(...page);
    if (page.length < PAGE) break;
  }
  return pickTelling(cursor, unread);
}

/** Whether something waits that should wake it. */
export function isUnheard({ journal }: Pick<House, "journal">, agent: AgentId): boolean {
  const { delivered, told } = journal.cursor(agent) ?? freshCursor(agent);
  return (journal.waking.get(agent) ?? 0) > Math.max(delivered, told);
}
