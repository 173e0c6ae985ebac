import { type Bucket, draw, inBytes, type RateLimit } from "../core/messages/rate.ts";
import type { Identity } from "../core/messages/roles.ts";
import type { AgentId } from "../core/text/ids.ts";
import type { Clock } from "../ports/clock.ts";
import { MOST_BYTES } from "./body.ts";
import { Refusal } from "./refusal.ts";

export interface Budgets {
  /** Null where it may have so many, else why not. */
  messages(speaker: Identity, count: number): Refusal | null;
  bytes(speaker: Identity, count: number): Refusal | null;
}

/** How much each agent may publish or ask for, by number and by size. The operator is a person, and has no limit. */
export function createBudgets(
  limit: RateLimit,
  { clock }: { readonly clock: Pick<Clock, "now"> },
  verb: "publishes" | "asks for" = "publishes",
): Budgets {
  const budget = (rate: RateLimit, what: string) => {
    const buckets = new Map<AgentId, Bucket>();
    return ({ role, agent }: Identity, count: number): Refusal | null => {
      if (role === "operator") return null;
      const { bucket, waitMs } = draw(buckets.get(agent) ?? null, count, rate, clock.now());
      buckets.set(agent, bucket);
      return waitMs === null ? null : tooMuch(`${agent} ${verb} more than ${rate.perSecond} ${what}`, waitMs);
    };
  };
  return {
    messages: budget(limit, verb === "publishes" ? "messages" : "things"),
    bytes: budget(inBytes(limit, MOST_BYTES), "bytes"),
  };
}

function tooMuch(what: string, waitMs: number): Refusal {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return new Refusal(429, `${what} per second; try again in ${seconds} s.`, {}, { "retry-after": seconds });
}
