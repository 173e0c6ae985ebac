import { NO_USAGE } from "../clis/events.ts";
import type { Assignment } from "./assignment.ts";

/** Why a run may spend no more, in words; null while it may. What was spent counts, cached tokens among it. */
export function overBudget({ cli, usage, spentBefore = NO_USAGE }: Assignment): string | null {
  const { tokens = null, cost = null } = cli.limits ?? {};
  const total = (of: typeof usage) => of.input + of.output + of.cached;
  const used = total(usage) - total(spentBefore);
  if (tokens !== null && used >= tokens) return `its budget is spent: ${used} of ${tokens} tokens`;
  const paid = (usage.cost ?? 0) - (spentBefore.cost ?? 0);
  if (cost !== null && paid >= cost) return `its budget is spent: $${paid.toFixed(2)} of $${cost.toFixed(2)}`;
  return null;
}
