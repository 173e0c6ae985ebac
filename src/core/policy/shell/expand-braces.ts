import type { BraceExpansionPart } from "unbash";

/** The words of `{a,b}`; null for what is more than a list of plain words. */
export function expandBraces({ text }: BraceExpansionPart): string[] | null {
  return /^\{[\w.@%+:/-]*(?:,[\w.@%+:/-]*)+\}$/.test(text) ? text.slice(1, -1).split(",") : null;
}
