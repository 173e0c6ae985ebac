import { freshCursor } from "../../core/cursors.ts";
import type { StoredMessage } from "../../core/messages.ts";
import { pickTelling } from "../../core/telling.ts";
import { tellAgent } from "../../core/wording.ts";
import type { Performer } from "./perform.ts";

const PAGE = 500;

/** Gives the agent what should wake it. What does not stays unread. */
export const performTell: Performer<"agent.tell"> = async ({ living, store, journal }, { agent: reader, run }) => {
  const cursor = journal.cursor(reader) ?? freshCursor(reader);
  const joined = journal.entry(reader)?.joined ?? 0;
  const unread: StoredMessage[] = [];
  for (let after = cursor.delivered; ; after = unread.at(-1)?.seq ?? after) {
    const page = await store.inbox({ reader, after, joined, limit: PAGE });
    unread.push(...page);
    if (page.length < PAGE) break;
  }
  const { messages, told, nothingElse } = pickTelling(cursor, unread);
  if (messages.length > 0) {
    const typed = await living.running(run).tell(tellAgent(messages), `tell-${told}`);
    if (typed !== "submitted") return { ok: true, typed };
  }
  return { ok: true, told: { seq: told, nothingElse } };
};
