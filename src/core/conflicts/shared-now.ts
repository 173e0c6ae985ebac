import type { Claim } from "../messages.ts";
import { meet, normalPath, pathOf, regionsOf } from "./claim-paths.ts";
import { shareRegions } from "./regions.ts";

export interface Sharing {
  readonly between: readonly [string, string];
  readonly paths: readonly string[];
}

/** Pairs of agents whose claims meet; regions that are known to be apart in one file do not. */
export function sharedPlans(
  intents: readonly { readonly agent: string; readonly files: readonly Claim[] }[],
): Sharing[] {
  return pairs(intents, (a, b) =>
    a.files.flatMap((mine) => b.files.flatMap((theirs) => meetingPlace(mine, theirs) ?? [])),
  );
}

function meetingPlace(a: Claim, b: Claim): string | null {
  const where = meet(normalPath(pathOf(a)), normalPath(pathOf(b)));
  const [one, two] = [regionsOf(a), regionsOf(b)];
  const apart = one !== null && two !== null && shareRegions(one, two) === null;
  return apart ? null : where;
}

/** Pairs of agents that have modified the same files. */
export const sharedFiles = (
  agents: readonly { readonly agent: string; readonly files: readonly string[] }[],
): Sharing[] => pairs(agents, (a, b) => a.files.filter((path) => b.files.includes(path)));

function pairs<T extends { readonly agent: string }>(all: readonly T[], paths: (a: T, b: T) => string[]): Sharing[] {
  return all.flatMap((a, i) =>
    all.slice(i + 1).flatMap((b) => {
      const shared = [...new Set(paths(a, b))];
      return shared.length === 0 ? [] : [{ between: [a.agent, b.agent] as const, paths: shared }];
    }),
  );
}
