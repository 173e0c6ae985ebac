import { type ConflictsView, conflictLines, drawConflicts } from "../core/conflicts/view.ts";
import { freshCursor, receiptOf } from "../core/cursors.ts";
import type { AgentId, Instant } from "../core/ids.ts";
import { iso } from "../core/instant.ts";
import { delivered, type StoredMessage } from "../core/messages.ts";
import { isOpen } from "../core/questions.ts";
import { drawQuestion, drawSnapshot, type Scene, type Snapshot } from "../core/snapshot.ts";
import { sentence } from "../core/wording.ts";
import { conflictBook, everyone } from "./conflict-watch.ts";
import type { House } from "./house.ts";
import type { OutlookKeeper } from "./keep-outlook.ts";
import { look } from "./look.ts";

/** What can be seen with a journal alone; a running supervisor adds its living agents. */
export type Records = Pick<House, "journal" | "store" | "living"> & {
  readonly place: Pick<House["place"], "project" | "repository">;
} & Partial<Pick<House, "outlook" | "clock">>;

const MOST_MESSAGES = 1_000;

export async function viewSnapshot(records: Records, supervisor: Scene["supervisor"]): Promise<Snapshot> {
  const { journal, store, living, place, outlook, clock } = records;
  const { project, repository } = place;
  const now = clock?.now() ?? null;
  const conflicts = now === null ? [] : conflictLines(viewConflicts(records, outlook?.current() ?? null, now));
  return drawSnapshot({ project, repository, supervisor, now, conflicts, ...(await look(journal, store, living)) });
}

/** The message log, in git-paw's shape and ours; `null` is from the oldest that is kept. */
export async function viewLog({ journal, store }: Records, from: number | null, limit: number) {
  const since = from ?? journal.compacted;
  const entries = await store.log(since, limit);
  // Asked after the read: what a compaction took away in between is missed, not skipped.
  journal.requireKept(since);
  return {
    entries: entries.map((entry) => ({
      seq: entry.seq,
      at: iso(entry.at),
      timestamp_unix_secs: Math.floor(entry.at / 1000),
      from: entry.sender,
      to: entry.to,
      text: sentence(entry.message),
      message: delivered(entry),
    })),
    last_seq: Math.max(since, ...entries.map(({ seq }) => seq)),
  };
}

export type LogView = Awaited<ReturnType<typeof viewLog>>;

/** What banksman itself decided and did. */
export async function viewEffects({ store }: Records, since: number | null, limit: number) {
  const effects = await store.effects(since ?? 0, limit);
  return effects.map(({ id, lane, at, effect, settledAt, outcome }) => ({
    id,
    lane,
    at: iso(at),
    effect: effect.type,
    settledAt: settledAt === null ? null : iso(settledAt),
    outcome,
  }));
}

export type EffectsView = Awaited<ReturnType<typeof viewEffects>>;

/** What an agent has been sent, with how far it has come. */
export async function viewInbox({ journal, store }: Records, reader: AgentId) {
  const cursor = journal.cursor(reader) ?? freshCursor(reader);
  const joined = journal.entry(reader)?.joined ?? 0;
  const messages = await newest(store, reader, joined);
  return messages.map(({ seq, sender, at, message }) => {
    const receipt = receiptOf(cursor, seq, message.type);
    const marks = { delivered: receipt !== "queued", acted: receipt === "acted" };
    return { seq, type: message.type, from: sender, text: sentence(message), at: iso(at), ...marks };
  });
}

/** The last ones, in order. */
async function newest(store: Records["store"], reader: AgentId, joined: number): Promise<StoredMessage[]> {
  let messages: StoredMessage[] = [];
  for (let after = 0; ; ) {
    const page = await store.inbox({ reader, after, joined, limit: MOST_MESSAGES });
    messages = [...messages, ...page].slice(-MOST_MESSAGES);
    if (page.length < MOST_MESSAGES) return messages;
    after = page.at(-1)?.seq ?? after;
  }
}

export type InboxView = Awaited<ReturnType<typeof viewInbox>>;

/** What stands between agents now, by what they say and by what merging their present work shows. */
export function viewConflicts(
  { journal }: Pick<Records, "journal">,
  current: ReturnType<OutlookKeeper["current"]>,
  now: Instant,
): ConflictsView {
  const problems = current?.outlook.problems ?? [];
  return drawConflicts({
    plans: [...everyone(journal)],
    open: conflictBook(journal).open,
    pairs: current?.outlook.pairs ?? [],
    unknown: [...new Set(problems.map(({ between }) => between.join(" × ")))],
    checkedAt: current?.at ?? now,
    now,
  });
}

export const viewQuestions = ({ journal }: Pick<Records, "journal">) =>
  [...journal.openQuestions.values()].filter(isOpen).map(drawQuestion);
