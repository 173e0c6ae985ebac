import { findAgent } from "../../core/actions.ts";
import { Failed } from "../../core/failure.ts";
import { nearest } from "../../core/nearest.ts";
import type { Run } from "../../core/run.ts";

/** The runs that were named by id or branch. Rejects for the first name nobody has. */
export function named(runs: readonly Run[], names: readonly string[]): Run[] {
  return names.map((name) => {
    const found = findAgent(runs, name);
    if (found !== null) return found;
    const known = runs.map(({ agent }) => agent);
    throw new Failed({
      kind: "agent.unknown",
      agent: name,
      known,
      near: nearest(name, [...known, ...runs.map(({ branch }) => branch)]),
    });
  });
}
