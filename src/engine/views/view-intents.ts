import type { Claim } from "../../core/claims/claim.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import { iso } from "../../core/text/instant.ts";
import type { Journal } from "../journal/journal.ts";

export interface IntentView {
  readonly agent: AgentId;
  readonly summary: string;
  readonly files: readonly Claim[];
  readonly expiresAt: string;
}

/** What agents say they will touch, as far as it holds now; for one of them, that of the others. */
export function viewIntents(journal: Journal, now: Instant, reader: AgentId | null): IntentView[] {
  return [...journal.intents.values()]
    .filter(({ agent, expiresAt }) => expiresAt > now && agent !== reader)
    .sort((a, b) => (a.agent < b.agent ? -1 : 1))
    .map(({ agent, summary, claims, expiresAt }) => ({ agent, summary, files: claims, expiresAt: iso(expiresAt) }));
}
