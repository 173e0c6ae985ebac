import type { Region } from "./claim.ts";

/** Where two lists of regions meet, in words; null when they are known to be apart. */
export interface SharedRegions {
  readonly words: readonly string[];
  /** They are of kinds that cannot be compared: a function and a range may be the same lines. */
  readonly crossKind: boolean;
}

export function shareRegions(a: readonly Region[], b: readonly Region[]): SharedRegions | null {
  const words = new Set<string>();
  let crossKind = false;
  const [ours, theirs] = [a.map(named), b.map(named)];
  for (const one of ours)
    for (const other of theirs) {
      const shared = meetRegions(one, other);
      if (shared === null) continue;
      if (words.size === MOST_WORDS && !words.has(shared.word)) return { words: [...words, "and more"], crossKind };
      words.add(shared.word);
      crossKind ||= shared.crossKind;
    }
  return words.size === 0 ? null : { words: [...words], crossKind };
}

const MOST_WORDS = 20;

interface Named {
  readonly region: Region;
  /** Null for lines. */
  readonly name: string | null;
}

const named = (region: Region): Named => ({
  region,
  name: region.kind === "range" ? null : normalName(nameOf(region)),
});

function meetRegions({ region: a, name: one }: Named, { region: b, name: other }: Named) {
  if (a.kind === "range" && b.kind === "range") {
    const [start, end] = [Math.max(a.start_line, b.start_line), Math.min(a.end_line, b.end_line)];
    return start <= end ? { word: `lines ${start}–${end}`, crossKind: false } : null;
  }
  if (a.kind === "range" || b.kind === "range") return { word: `${inWords(a)} and ${inWords(b)}`, crossKind: true };
  return one === other ? { word: inWords(a), crossKind: a.kind !== b.kind } : null;
}

const nameOf = (region: Exclude<Region, { kind: "range" }>): string =>
  region.kind === "block" ? region.anchor : region.name;

const inWords = (region: Region): string =>
  region.kind === "range" ? `lines ${region.start_line}–${region.end_line}` : `${region.kind} ${nameOf(region)}`;

/** One name for the ways people write it: `validate_token()`, `Validate Token`, `fn validate_token`. */
export function normalName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\(\s*\)$/, "")
    .replace(/^(fn|def|function|class)[\s_-]+/, "")
    .replaceAll(/[ \t_-]+/g, "_");
}
