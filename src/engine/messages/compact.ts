import { planCompaction, planSettled } from "../../core/record/retention.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { Timers } from "../../core/session/timers.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording } from "../journal/recording.ts";

/** Messages, effects or questions per step: about 5 ms of the journal's thread, in which commits wait. */
const STEP = 500;

interface Kept extends Recording, Pick<Ports, "store"> {
  readonly timers: Pick<Timers, "compact">;
  settings(): Promise<SessionSettings>;
}

/** Once a minute, what need not be kept any more is taken out of the journal. */
export function watchRetention(context: Kept, onError: (error: unknown) => void): () => void {
  let cancel = () => {};
  let stopped = false;
  const again = () => {
    if (!stopped)
      cancel = context.clock.after(context.timers.compact, () => void compact(context).catch(onError).then(again));
  };
  again();
  return () => {
    stopped = true;
    cancel();
  };
}

export async function compact(context: Kept): Promise<void> {
  const { journal, clock } = context;
  const { retention } = await context.settings();
  const { head } = journal;
  const unread = await firstUnread(context);
  const now = clock.now();
  const plan = planCompaction({ head, unread, retention, now });
  while (await journal.compact(plan, STEP));
  const settled = planSettled({ ...journal.last, retention, now });
  while (await journal.dropSettled(settled, STEP));
}

async function firstUnread({ journal, store }: Kept): Promise<number[]> {
  const first: number[] = [];
  for (const { agent, joined } of journal.roster.values()) {
    const [message] = await store.inbox({ reader: agent, after: delivered(journal, agent), joined, limit: 1 });
    if (message !== undefined) first.push(message.seq);
  }
  return first;
}

const delivered = (journal: Kept["journal"], agent: AgentId): number => journal.cursor(agent)?.delivered ?? 0;
