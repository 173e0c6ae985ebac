import type { Branch } from "../text/ids.ts";

export interface TargetFacts {
  /** `[land] target`. */
  readonly configured: string | null;
  /** The branch the session was started from. */
  readonly session: Branch | null;
  /** What the main checkout has checked out; null where it is on no branch. */
  readonly head: Branch | null;
  readonly branches: ReadonlySet<string>;
  /** Those that are to land: none of them can be landed on. Where they are only verified, one of them can, at need. */
  readonly asked: readonly string[];
  readonly lands: boolean;
}

const USUAL: readonly string[] = ["main", "master", "trunk", "develop"];

/** The branch that work lands on; null where nothing says which. */
export function pickTarget({ configured, session, head, branches, asked, lands }: TargetFacts): Branch | null {
  if (configured !== null) return configured as Branch;
  const candidates = [session, head, ...USUAL.filter((name) => branches.has(name))].filter((name) => name !== null);
  const other = candidates.find((name) => !asked.includes(name)) ?? null;
  return (other ?? (lands ? null : (candidates[0] ?? null))) as Branch | null;
}
