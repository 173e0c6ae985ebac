import { findAgent } from "../../core/actions/actions.ts";
import type { Assignment } from "../../core/agents/assignment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { nearest } from "../../core/text/nearest.ts";

/** The runs that were named by id or branch. Rejects for the first name nobody has. */
export function named(assignments: readonly Assignment[], names: readonly string[]): Assignment[] {
  return names.map((name) => {
    const found = findAgent(assignments, name);
    if (found !== null) return found;
    const known = assignments.map(({ agent }) => agent);
    throw new Failed({
      kind: "agent.unknown",
      agent: name,
      known,
      near: nearest(name, [...known, ...assignments.map(({ branch }) => branch)]),
    });
  });
}
