/** What a governance document is about. Its file name says it; anything else is a plain checklist. */
export type DocumentKind = "dod" | "adr" | "security" | "test-strategy" | "constitution" | "checklist";

/** A document as the commit has it that work is to land on. */
export interface GovernanceDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
}

/** One line of a document that a branch is held against. */
export interface ChecklistItem {
  readonly document: string;
  readonly kind: DocumentKind;
  readonly line: number;
  readonly text: string;
}

const KINDS: readonly (readonly [RegExp, DocumentKind])[] = [
  [/(^|\/)(dod|definition[-_ ]of[-_ ]done)[^/]*$/i, "dod"],
  [/(^|\/)(adr|adrs|decisions|architecture[-_ ]decisions?)(\/|[-_.][^/]*$|$)/i, "adr"],
  [/(^|\/)security[^/]*$/i, "security"],
  [/(^|\/)test[-_ ]?(ing[-_ ])?strategy[^/]*$/i, "test-strategy"],
  [/(^|\/)constitution[^/]*$/i, "constitution"],
];

export const kindOf = (path: string): DocumentKind => KINDS.find(([name]) => name.test(path))?.[1] ?? "checklist";

const MOST_ITEMS = 60;
const LONGEST_ITEM = 400;

/**
 * What a document asks for: its checkboxes, ticked or not, since the item counts and not its box; without any, its list.
 * Of ADRs nothing is a checklist: new dependencies are held against them as a whole.
 */
export function itemsOf({ path, kind, text }: GovernanceDocument): ChecklistItem[] {
  if (kind === "adr") return [];
  const lines = text.split("\n");
  const boxes = found(lines, /^\s*[-*+]\s+\[[ xX]\]\s+(.+)$/);
  const items = boxes.length > 0 ? boxes : found(lines, /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$/);
  return items.slice(0, MOST_ITEMS).map(({ line, text: said }) => ({ document: path, kind, line, text: said }));
}

function found(lines: readonly string[], pattern: RegExp): { line: number; text: string }[] {
  let fenced = false;
  return lines.flatMap((line, i) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const [, text] = fenced ? [] : (pattern.exec(line.slice(0, LONGEST_ITEM)) ?? []);
    return text === undefined ? [] : [{ line: i + 1, text: text.trim() }];
  });
}
