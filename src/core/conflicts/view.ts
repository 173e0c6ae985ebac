import type { AgentId, Instant } from "../text/ids.ts";
import { iso } from "../text/instant.ts";
import { byPair, type InFlight, overlaps, violated } from "./detect.ts";
import type { Foresight } from "./foresee.ts";
import type { Plans } from "./plans.ts";
import type { ConflictFile } from "./prediction.ts";
import { Reach } from "./reach.ts";

/** `conflicts --json`. */
export interface ConflictsView {
  readonly forward: readonly ConflictView[];
  readonly inFlight: readonly ConflictView[];
  readonly ownership: readonly ConflictView[];
  readonly predicted: readonly (ConflictView & { readonly files: readonly ConflictFile[] })[];
  /** When the predictions were made; those that could not be are in `unknown`. */
  readonly checkedAt: string;
  readonly unknown?: readonly string[];
}

export interface ConflictView {
  readonly between: readonly [string, string];
  readonly paths: readonly string[];
  readonly since: string;
  /** Of two at one file: what both have merges without a conflict. */
  readonly settled?: boolean;
}

export interface ConflictFacts {
  readonly plans: readonly Plans[];
  readonly open: readonly InFlight[];
  readonly pairs: readonly Foresight[];
  readonly unknown: readonly string[];
  readonly checkedAt: Instant;
  readonly now: Instant;
}

/** Everything that stands between agents now. */
export function drawConflicts({ plans, open, pairs, unknown, checkedAt, now }: ConflictFacts): ConflictsView {
  const forward: ConflictView[] = [];
  const ownership: ConflictView[] = [];
  const reaches = plans.map((each) => new Reach(each, now));
  const sinceOf = (a: string, b: string, path: string) =>
    open.find((each) => each.path === path && each.between.includes(a as never) && each.between.includes(b as never));
  // Of a thousand agents few have plans: only they can be run into.
  const planning = reaches.filter(({ claims, plans: { owned } }) => claims.length > 0 || owned.length > 0);
  for (const [i, one] of planning.entries()) {
    for (const other of planning.slice(i + 1)) {
      const shared = overlaps(one, other).map(({ words }) => words);
      const said = Math.max(one.plans.intent?.since ?? 0, other.plans.intent?.since ?? 0);
      if (shared.length > 0) forward.push(view(one, other, shared, said === 0 ? now : said));
    }
  }
  for (const one of reaches.filter(({ plans: { files } }) => files.length > 0)) {
    for (const other of planning) {
      if (other === one) continue;
      const paths = violated(one.plans.files, one, other).map(({ path }) => path);
      const since = sinceOf(one.plans.agent, other.plans.agent, paths[0] ?? "")?.since ?? now;
      if (paths.length > 0) ownership.push(view(one, other, paths, since));
    }
  }
  return {
    forward,
    inFlight: inFlight([...open, ...unwatched(reaches, planning, open, now)]),
    ownership,
    predicted: pairs
      .filter(({ prediction }) => prediction.outcome === "conflict")
      .map(({ between, prediction: { files }, since }) => ({
        between,
        paths: files.map(({ path }) => path),
        since: iso(since),
        files,
      })),
    checkedAt: iso(checkedAt),
    ...(unknown.length > 0 && { unknown }),
  };
}

/** One line of a snapshot: what kind it is, without the lines. */
export interface ConflictLine extends ConflictView {
  readonly kind: "forward" | "in-flight" | "ownership" | "predicted";
}

/** What stands between two, in plain words. */
export function conflictWords({ kind, settled }: Pick<ConflictLine, "kind" | "settled">): string {
  switch (kind) {
    case "forward":
      return "both plan to edit";
    case "in-flight":
      return settled ? "both edit, and it merges" : "both edit";
    case "ownership":
      return "the first edits files of the second";
    case "predicted":
      return "would not merge";
  }
}

/** The same for a dashboard, worst first. */
export function conflictLines({ forward, inFlight, ownership, predicted }: ConflictsView): ConflictLine[] {
  const lines = (kind: ConflictLine["kind"], found: readonly ConflictView[]) =>
    found.map(({ between, paths, since, settled }) => ({ kind, between, paths, since, ...(settled && { settled }) }));
  return [
    ...lines("predicted", predicted),
    ...lines("ownership", ownership),
    ...lines("in-flight", inFlight),
    ...lines("forward", forward),
  ];
}

const view = (a: Reach, b: Reach, paths: readonly string[], since: number): ConflictView => ({
  between: [a.plans.agent, b.plans.agent],
  paths,
  since: iso(since as Instant),
});

/** What two are at and no detector has noted: in a session that is not supervised, or without a supervisor. */
function unwatched(
  reaches: readonly Reach[],
  planning: readonly Reach[],
  open: readonly InFlight[],
  now: Instant,
): InFlight[] {
  const known = new Set(open.map(({ between, path }) => [...between, path].join("\0")));
  const found: InFlight[] = [];
  const note = (one: Reach, other: Reach, path: string) => {
    const between = [one.plans.agent, other.plans.agent].sort() as [AgentId, AgentId];
    const key = [...between, path].join("\0");
    if (between[0] === between[1] || known.has(key)) return;
    known.add(key);
    found.push({ between, path, since: now, decided: false });
  };
  const editors = new Map<string, Reach[]>();
  for (const one of reaches)
    for (const path of one.plans.files) {
      for (const other of editors.get(path) ?? []) note(one, other, path);
      editors.set(path, [...(editors.get(path) ?? []), one]);
      for (const other of planning) if (other.plansFor(path)) note(one, other, path);
    }
  return found;
}

/** One entry for each pair; settled only where all of it is. */
function inFlight(open: readonly InFlight[]): ConflictView[] {
  return byPair(open).map(({ between, entries }) => ({
    between,
    paths: entries.map(({ path }) => path),
    since: iso(Math.min(...entries.map(({ since }) => since)) as Instant),
    ...(entries.every(({ settled }) => settled) && { settled: true }),
  }));
}
