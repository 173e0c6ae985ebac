import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { silence } from "./brake.ts";
import type { Policy } from "./policy.ts";
import { ingest, type Signal } from "./signals.ts";

export interface StaleItem {
  readonly item: string;
  readonly silentMs: number;
  /** Its worker is known to be alive here: queued again, it would be done twice at once. */
  readonly runs: boolean;
}

/** Items whose worker has been silent for too long, with what is known of the workers now. */
export function staleItems(
  epic: Epic,
  signals: readonly Signal[],
  now: Instant,
  { stalledMs }: Pick<Policy, "stalledMs">,
): readonly StaleItem[] {
  const heard = ingest(epic, signals, now);
  const alive = new Set(signals.flatMap(({ item, kind }) => (kind === "activity" ? [item] : [])));
  return heard.items
    .map((item) => ({ item: item.id, silentMs: silence(heard, item, now), runs: alive.has(item.id) }))
    .filter(({ silentMs }) => silentMs > stalledMs);
}
