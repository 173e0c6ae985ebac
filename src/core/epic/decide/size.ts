import type { Policy } from "./policy.ts";

/** A child as a planner proposes it. */
export interface Proposed {
  readonly id: string | null;
  readonly title: string;
  readonly body: string;
  readonly depends: readonly string[];
  readonly worker: string;
  readonly tags: string;
  /** Where the planner said so. */
  readonly hours: number | null;
  readonly files: number | null;
}

/** What is too big to be reviewed in one sitting, in sentences. Empty where a decomposition may be filed. */
export function checkSizes(children: readonly Proposed[], { children: most, hours, files }: Policy): string[] {
  const findings = children.flatMap(({ title, ...child }) => [
    ...(child.hours !== null && child.hours > hours
      ? [`"${title}" takes ${child.hours} h, and ${hours} h is the most`]
      : []),
    ...(child.files !== null && child.files > files
      ? [`"${title}" touches ${child.files} files, and ${files} is the most`]
      : []),
  ]);
  return children.length > most
    ? [`${children.length} direct children, and ${most} is the most: group them`, ...findings]
    : findings;
}
