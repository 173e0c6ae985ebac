import type { AgentId } from "../text/ids.ts";
import type { Need } from "./snapshot.ts";

/** A message of the log, as far as it matters here. */
interface Entry {
  readonly from: AgentId;
  readonly message: unknown;
}

export interface News<Log extends Entry> {
  readonly entries: readonly Log[];
  /** What needs a person now, and did not before. */
  readonly needs: readonly Need[];
}

/**
 * What a console shows of a look, each thing once: a question is both a message and something that needs a person, and is
 * shown as the latter. `before` is what needed a person at the look before: a question may be answered in between.
 */
export function newsOf<Log extends Entry>(
  entries: readonly Log[],
  needs: readonly Need[],
  before: readonly Need[],
): News<Log> {
  const asked = [...before, ...needs];
  return {
    entries: entries.filter((entry) => !asked.some((need) => isAsking(entry, need))),
    needs: needs.filter(({ id }) => before.every((each) => each.id !== id)),
  };
}

function isAsking({ from, message }: Entry, { agent, text }: Need): boolean {
  const { type, payload } = message as { readonly type?: unknown; readonly payload?: { readonly question?: unknown } };
  return type === "agent.question" && from === agent && payload?.question === text;
}
