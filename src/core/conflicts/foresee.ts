import type { AgentId, Instant } from "../text/ids.ts";
import type { InFlight } from "./detect.ts";
import type { ConflictFile, Prediction } from "./prediction.ts";
import { mergesClean, predicted } from "./texts.ts";

/** What two pieces of work would make of each other, and since when that is so. */
export interface Foresight {
  readonly between: readonly [string, string];
  /** The second is the branch everything lands on, and no agent. */
  readonly base: boolean;
  readonly prediction: Prediction;
  readonly since: Instant;
}

/** A predicted conflict that was told, as it is kept. */
export interface Told {
  readonly between: readonly [string, string];
  readonly base: boolean;
  readonly paths: readonly string[];
}

export interface Foreseen {
  readonly feedback: readonly { readonly to: AgentId; readonly errors: readonly string[] }[];
  readonly told: readonly Told[];
}

export interface ForeseeFacts {
  readonly pairs: readonly Foresight[];
  /** What could not be looked at this time: of them nothing new is known. */
  readonly unknown: ReadonlySet<string>;
  readonly before: readonly Told[];
  /** When an agent was first seen to have changed a path; null where that is not known. */
  touched(agent: string, path: string): Instant | null;
}

/** Conflicts that were not there before are told to both, with their lines. Nobody is asked: they can still be mended. */
export function foresee({ pairs, unknown, before, touched }: ForeseeFacts): Foreseen {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const feedback: { to: AgentId; errors: readonly string[] }[] = [];
  const told: Told[] = before.filter((each) => isUnknown(each, unknown));
  for (const { between, base, prediction } of pairs) {
    if (prediction.outcome !== "conflict" || isUnknown({ between, base }, unknown)) continue;
    const paths = prediction.files.map(({ path }) => path);
    const earlier = new Set(known.get(keyOf({ between, base }))?.paths);
    const news = prediction.files.filter(({ path }) => !earlier.has(path));
    told.push({ between, base, paths });
    if (news.length === 0) continue;
    const [a, b] = between;
    const first = (file: ConflictFile) => whoWasFirst([a, b], file.path, touched);
    feedback.push({
      to: a as AgentId,
      errors: predicted({ me: a, other: b, base, files: news, mineIsOurs: true, first }),
    });
    if (!base)
      feedback.push({
        to: b as AgentId,
        errors: predicted({ me: b, other: a, base, files: news, mineIsOurs: false, first }),
      });
  }
  return { feedback, told };
}

const keyOf = ({ between, base }: Pick<Told, "between" | "base">): string => `${between.join("\0")}\0${base}`;

const isUnknown = ({ between, base }: Pick<Told, "between" | "base">, unknown: ReadonlySet<string>): boolean =>
  unknown.has(between[0]) || (!base && unknown.has(between[1]));

function whoWasFirst([a, b]: readonly [string, string], path: string, touched: ForeseeFacts["touched"]): string | null {
  const [one, other] = [touched(a, path), touched(b, path)];
  if (one === null || other === null || one === other) return null;
  return one < other ? a : b;
}

/**
 * Alarms about one file are settled while what both have modified there merges clean, and come back when it does not.
 * Plans are not merged: an alarm about what somebody only intends stays.
 */
export function settle(
  open: readonly InFlight[],
  pairs: readonly Foresight[],
  now: Instant,
): { readonly open: readonly InFlight[]; readonly feedback: Foreseen["feedback"] } {
  const byPair = new Map(pairs.filter(({ base }) => !base).map((pair) => [[...pair.between].sort().join("\0"), pair]));
  const settled = new Map<string, { readonly between: InFlight["between"]; readonly paths: string[] }>();
  const next = open.map((each): InFlight => {
    const key = each.between.join("\0");
    const prediction = byPair.get(key)?.prediction;
    if (prediction === undefined || each.decided) return each;
    const clean = prediction.outcome !== "conflict" && prediction.shared.includes(each.path);
    if (each.settled && prediction.outcome === "conflict") return { ...each, settled: false, since: now };
    if (each.settled || !clean) return each;
    const { paths } = settled.get(key) ?? { paths: [] };
    settled.set(key, { between: each.between, paths: [...paths, each.path] });
    return { ...each, settled: true };
  });
  const feedback = [...settled.values()].flatMap(({ between: [a, b], paths }) => [
    { to: a, errors: [mergesClean(paths, b)] },
    { to: b, errors: [mergesClean(paths, a)] },
  ]);
  return { open: next.some((each, i) => each !== open[i]) ? next : open, feedback };
}
