import type { Commit } from "../text/ids.ts";
import { meets, touches } from "./meets.ts";
import type { Change } from "./prediction.ts";

/** One agent's work as it was when it was last looked at. */
export interface Side {
  readonly name: string;
  readonly commit: Commit;
  /** What the uncommitted part of it stands on. */
  readonly head: Commit | null;
  readonly changed: readonly Change[];
}

/** The branch everything is to land on: every side is merged with it. */
export interface BaseSide {
  readonly name: string;
  readonly commit: Commit;
}

export interface Planned {
  readonly ours: Side;
  readonly theirs: Side | BaseSide;
}

export interface Known<Result> extends Planned {
  readonly result: Result;
}

/**
 * Which pairs have to be merged anew, and which results stay. Pairs that do not meet are in neither: they cannot
 * conflict. Ours of a pair is whoever stands first among the sides.
 */
export function planPredictions<Result>(
  sides: readonly Side[],
  base: BaseSide | null,
  known: readonly Known<Result>[],
): { readonly compute: readonly Planned[]; readonly keep: readonly Known<Result>[] } {
  const byNames = new Map(known.map((each) => [pairKey(each), each]));
  const compute: Planned[] = [];
  const keep: Known<Result>[] = [];
  const place = (pair: Planned): void => {
    const before = byNames.get(pairKey(pair));
    if (before !== undefined && stillHolds(before, pair)) keep.push({ ...pair, result: before.result });
    else compute.push(pair);
  };
  for (const [i, ours] of sides.entries()) {
    if (base !== null && ours.commit !== base.commit) place({ ours, theirs: base });
    for (const theirs of sides.slice(i + 1)) if (meets(ours.changed, theirs.changed)) place({ ours, theirs });
  }
  return { compute, keep };
}

/** By name; a base is not taken for an agent of that name. */
export const pairKey = ({ ours, theirs }: Planned): string => `${ours.name}\0${theirs.name}\0${isSide(theirs)}`;

const isSide = (side: Side | BaseSide): side is Side => "changed" in side;

/** What one side has done since does not matter to the other, neither to what that was nor to what it is. */
function stillHolds(before: Planned, now: Planned): boolean {
  const { theirs } = now;
  if (!isSide(theirs) || !isSide(before.theirs))
    return before.ours.commit === now.ours.commit && before.theirs.commit === theirs.commit;
  return aside(before.ours, now.ours, [before.theirs, theirs]) && aside(before.theirs, theirs, [before.ours, now.ours]);
}

/**
 * Whether a side has only edited files that were there and that the other does not touch. A file that comes or goes may
 * be half of a rename; attributes decide how others are merged; another head may have another merge base.
 */
function aside(before: Side, now: Side, others: readonly Side[]): boolean {
  if (before.commit === now.commit) return true;
  if (before.head !== now.head) return false;
  return edits(before.changed, now.changed).every(
    ({ path, inPlace }) => inPlace && !isAttributes(path) && !others.some(({ changed }) => touches(path, changed)),
  );
}

/** A file that says how others are merged. */
export const isAttributes = (path: string): boolean => /(^|\/)\.gitattributes$/.test(path);

/** The paths that differ between two looks at a side. */
function edits(before: readonly Change[], now: readonly Change[]): { path: string; inPlace: boolean }[] {
  const was = new Map(before.map((change) => [change.path, change]));
  const is = new Map(now.map((change) => [change.path, change]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path)?.content !== is.get(path)?.content || was.get(path)?.how !== is.get(path)?.how)
    .map((path) => {
      const states = [was.get(path)?.how ?? "changed", is.get(path)?.how ?? "changed"];
      return { path, inPlace: states.every((how) => how === "changed") };
    });
}
