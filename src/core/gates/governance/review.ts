import type { Finding, FindingTag } from "../../messages/finding.ts";
import { parseObject } from "../../text/json-fields.ts";
import { onOneLine } from "../../text/printable.ts";
import type { ItemVerdict, ReviewedItem } from "./check-item.ts";
import type { ChecklistItem } from "./documents.ts";

/** What governance came to for one branch. */
export interface Review {
  readonly items: readonly ReviewedItem[];
  /** A reviewer's own findings. */
  readonly findings: readonly Finding[];
  readonly reviewer: "none" | "not needed" | "asked" | "failed";
  /** Why the reviewer's answer does not count. */
  readonly because: string | null;
  /** Documents that are named and not there. */
  readonly missing: readonly string[];
  /** A person has to look at it where no reviewer did. */
  readonly required: boolean;
}

/** What a reviewer answered. */
export type ReviewerAnswer = { readonly said: string } | { readonly failed: string } | { readonly person: true };

const TAGS: readonly FindingTag[] = ["testing", "regression", "spec audit", "doc audit", "security audit"];
const VERDICTS: readonly ItemVerdict[] = ["met", "not met", "not applicable"];
const MOST_FINDINGS = 30;
const LONGEST = 500;

interface ReadReview {
  readonly items: ReadonlyMap<number, { readonly verdict: ItemVerdict; readonly evidence: string }>;
  readonly findings: readonly Finding[];
}

/**
 * A reviewer's answer: one JSON object, alone or in the last fence. Every item must have a verdict with evidence; an answer
 * that leaves one out, or that is anything else, counts for nothing: the text says why.
 */
export function readReview(said: string, count: number): ReadReview | string {
  const fields = parseObject(jsonIn(said));
  if (fields === null) return "its answer is not a JSON object";
  const items = new Map<number, { verdict: ItemVerdict; evidence: string }>();
  for (const each of listAt(fields.items)) {
    const { id, verdict, evidence } = each;
    if (typeof id !== "number" || !Number.isInteger(id) || id < 1 || id > count)
      return "it names an item that is not there";
    if (!VERDICTS.includes(verdict as ItemVerdict)) return `item ${id} has no verdict`;
    if (typeof evidence !== "string" || evidence.trim() === "") return `item ${id} has no evidence`;
    items.set(id, { verdict: verdict as ItemVerdict, evidence: onOneLine(evidence).slice(0, LONGEST) });
  }
  for (let id = 1; id <= count; id++) if (!items.has(id)) return `item ${id} is missing in its answer`;
  const findings: Finding[] = [];
  for (const each of listAt(fields.findings).slice(0, MOST_FINDINGS)) {
    const { tag, message, file, line } = each;
    if (typeof message !== "string" || message.trim() === "") return "a finding has no message";
    findings.push({
      tag: TAGS.includes(tag as FindingTag) ? (tag as FindingTag) : "spec audit",
      kind: "review",
      message: onOneLine(message).slice(0, LONGEST),
      ...(typeof file === "string" && file !== "" && { file: onOneLine(file).slice(0, LONGEST) }),
      ...(typeof line === "number" && Number.isInteger(line) && line > 0 && { line }),
    });
  }
  return { items, findings };
}

/** What code could not judge. */
export const openItems = (items: readonly ReviewedItem[]): ReviewedItem[] =>
  items.filter(({ verdict }) => verdict === "unknown");

/** With what the reviewer answered; null where there is none. */
export function completeReview(
  checked: Pick<Review, "items" | "missing" | "required">,
  answer: ReviewerAnswer | null,
): Review {
  const open = openItems(checked.items);
  const done = { ...checked, findings: [], because: null } as const;
  if (answer === null) return { ...done, reviewer: open.length === 0 ? "not needed" : "none" };
  if ("person" in answer) return { ...done, reviewer: "none" };
  const read = "failed" in answer ? answer.failed : readReview(answer.said, open.length);
  if (typeof read === "string") return { ...done, reviewer: "failed", because: read };
  const items = checked.items.map((item): ReviewedItem => {
    const given = read.items.get(open.indexOf(item) + 1);
    return item.verdict !== "unknown" || given === undefined ? item : { ...item, ...given, by: "reviewer" };
  });
  return { ...done, items, findings: read.findings, reviewer: "asked" };
}

/** The last fence where there is one: reviewers think aloud before it. */
function jsonIn(said: string): string {
  const end = said.lastIndexOf("```");
  const begin = end < 0 ? -1 : said.lastIndexOf("```", end - 1);
  return begin < 0 ? said : said.slice(begin + 3, end).replace(/^json\s*/i, "");
}

const listAt = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];

/** What a person and the agent see of it: what is not met fails; what nobody could judge waits for a person. */
export function reviewFindings({ items, findings, missing, because, required, reviewer }: Review): {
  readonly failed: readonly Finding[];
  readonly open: readonly Finding[];
  readonly notes: readonly string[];
} {
  const asFinding = (message: string, item?: ChecklistItem): Finding => ({
    tag: "doc audit",
    kind: "review",
    message,
    ...(item && { file: item.document, line: item.line }),
  });
  const why = because === null ? "no reviewer is configured" : `the reviewer's answer does not count: ${because}`;
  const unknown = items.filter(({ verdict }) => verdict === "unknown");
  const unread = required && reviewer !== "asked" && unknown.length === 0;
  return {
    failed: [
      ...items
        .filter(({ verdict }) => verdict === "not met")
        .map((item) => asFinding(`not met: ${item.text} (${item.evidence})`, item)),
      ...findings,
    ],
    open: [
      ...unknown.map((item) => asFinding(`nobody has judged: ${item.text}; ${why}`, item)),
      ...(unread || (because !== null && unknown.length === 0) ? [asFinding(`nobody has reviewed it; ${why}`)] : []),
    ],
    notes: missing.map((path) => `governance document ${path} is not there`),
  };
}
