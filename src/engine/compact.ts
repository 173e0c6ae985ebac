import type { AgentId } from "../core/ids.ts";
import { planCompaction } from "../core/retention.ts";
import type { House } from "./house.ts";

const EVERY_MS = 60_000;
/** Messages per step: about 5 ms of the journal's thread, in which commits wait. */
const STEP = 500;

type Kept = Pick<House, "journal" | "store" | "clock" | "settings">;

/** Once a minute, what need not be kept any more is taken out of the log. */
export function watchRetention(house: Kept, onError: (error: unknown) => void): () => void {
  let cancel = () => {};
  let stopped = false;
  const again = () => {
    if (!stopped) cancel = house.clock.after(EVERY_MS, () => void compact(house).catch(onError).then(again));
  };
  again();
  return () => {
    stopped = true;
    cancel();
  };
}

export async function compact(house: Kept): Promise<void> {
  const { journal, clock } = house;
  const { retention } = await house.settings();
  const { head } = journal;
  const unread = await firstUnread(house);
  const plan = planCompaction({ head, unread, retention, now: clock.now() });
  while (await journal.compact(plan, STEP));
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
