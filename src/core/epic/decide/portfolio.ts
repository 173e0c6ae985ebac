import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { planTick } from "./plan.ts";
import type { Policy } from "./policy.ts";

/**
 * The epic whose turn it is: of those that have something to do, the one whose last row is oldest. Nothing is
 * remembered for it: who was just served has the newest row.
 */
export function pickEpic<Each extends { readonly epic: Epic }>(
  epics: readonly Each[],
  now: Instant,
  policy: Policy,
): Each | null {
  const moves = epics.filter(({ epic }) => {
    const decided = planTick(epic, now, [], policy);
    return decided.next !== "noop" || decided.epic !== epic;
  });
  const [first = null] = moves.sort((a, b) => lastRow(a.epic) - lastRow(b.epic) || (a.epic.id < b.epic.id ? -1 : 1));
  return first;
}

const lastRow = ({ memory }: Epic): number => memory.reduce((last, { at }) => Math.max(last, at ?? 0), 0);
