import type { Gate } from "../gates.ts";
import type { Inspection } from "../inspection.ts";
import { type ChecklistItem, type GovernanceDocument, itemsOf } from "./documents.ts";

/** What is known of the branch without anybody's judgement. */
export interface Known {
  readonly passed: readonly Gate[];
  readonly failed: readonly Gate[];
  readonly inspection: Pick<Inspection, "changes" | "tests">;
}

export type ItemVerdict = "met" | "not met" | "not applicable" | "unknown";

/** One item, and what it came to. Unknown is never met. */
export interface ReviewedItem extends ChecklistItem {
  readonly verdict: ItemVerdict;
  readonly evidence: string;
  readonly by: "code" | "reviewer" | null;
}

/** Every item of the documents, with the verdict that code alone can give. */
export const checkItems = (documents: readonly GovernanceDocument[], known: Known): ReviewedItem[] =>
  documents
    .flatMap(itemsOf)
    .map((item) => checkItem(item, known) ?? { ...item, verdict: "unknown", evidence: "", by: null });

/** Words that stand for a gate. An item that says more than that is a reviewer's. */
const GATE_WORDS: readonly (readonly [RegExp, Gate])[] = [
  [/^(all )?(the )?(unit )?(tests?|test suite) (are |is )?(green|pass|passes|passing|run)$/i, "test"],
  [/^(the )?(lint|linter|linting|code style)( checks?)? (is |are )?(clean|pass|passes|passing|green)$/i, "lint"],
  [/^no lint(er)? (errors|warnings)$/i, "lint"],
  [/^(the )?(project|code|it|build|project build) (builds|passes|succeeds|works|is green)$/i, "build"],
  [/^(the )?(code|files?|everything) (is|are) formatted$|^format(ting)? (is )?(clean|checked|correct)$/i, "fmt_check"],
  [/^(the )?(docs|documentation) builds?$/i, "doc_build"],
  [/^(the )?specs? (validates?|are valid)$/i, "spec_validate"],
  [/^no known vulnerabilities$|^the security audit (passes|is clean)$/i, "security_audit"],
];

/** Words that stand for files. */
const FILE_WORDS: readonly (readonly [RegExp, RegExp, string])[] = [
  [/\bchange ?log\b/i, /(^|\/)(change(log|s)|history|news)[^/]*(\/|$)/i, "the changelog"],
  [/\breadme\b/i, /(^|\/)readme[^/]*$/i, "the README"],
];

const TESTS_ADDED =
  /^(new |unit )?tests? (are |have been |were |is )?(added|written|included)$|^(add|write)s? (new |unit )?tests$/i;

/** What code can check, code checks: gates by their results, files by the branch's changes. Null: somebody has to judge. */
export function checkItem(item: ChecklistItem, { passed, failed, inspection }: Known): ReviewedItem | null {
  const is = (verdict: ItemVerdict, evidence: string): ReviewedItem => ({ ...item, verdict, evidence, by: "code" });
  const text = item.text.replace(/[.!]$/, "");
  const gate = GATE_WORDS.find(([words]) => words.test(text))?.[1];
  if (gate !== undefined) {
    if (passed.includes(gate)) return is("met", `${gate}_command passes`);
    if (failed.includes(gate)) return is("not met", `${gate}_command fails`);
    return null;
  }
  if (TESTS_ADDED.test(text)) {
    const more = inspection.tests.filter(({ before, after }) => after.tests > before.tests);
    return more.length > 0 ? is("met", `tests added in ${named(more)}`) : is("not met", "the branch adds no test");
  }
  const files = FILE_WORDS.find(([words]) => words.test(item.text));
  if (files === undefined) return null;
  const touched = inspection.changes.filter(({ path }) => files[1].test(path));
  return touched.length > 0
    ? is("met", `the branch changes ${named(touched)}`)
    : is("not met", `the branch does not change ${files[2]}`);
}

const named = (files: readonly { readonly path: string }[]): string =>
  files
    .slice(0, 3)
    .map(({ path }) => path)
    .join(", ");
