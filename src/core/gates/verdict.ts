/** From worst to best: the worst of several is theirs. */
export const VERDICTS = ["fail", "waiting", "running", "skipped", "pass"] as const;

export type Verdict = (typeof VERDICTS)[number];

/** The worst of them. Of none nothing is known, and unknown is never a pass. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  const found = new Set(verdicts);
  return VERDICTS.find((verdict) => found.has(verdict)) ?? "waiting";
}

/** Of several gates. Those that were skipped take no part; where all were, nothing was checked. */
export function together(verdicts: Iterable<Verdict>): Verdict {
  const all = [...verdicts];
  const counting = all.filter((verdict) => verdict !== "skipped");
  return counting.length === 0 && all.length > 0 ? "skipped" : worst(counting);
}
