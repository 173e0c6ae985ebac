import { parseObject } from "../../text/json-fields.ts";
import type { ReviewedItem } from "./check-item.ts";

/** A dependency that a branch adds, and the file that names it. */
export interface NewDependency {
  readonly name: string;
  readonly file: string;
}

/** Files that name what a project depends on. */
export const DEPENDENCY_FILES = /(^|\/)(package\.json|Cargo\.toml|pyproject\.toml|go\.mod|requirements[^/]*\.txt)$/;

const MOST_LINES = 5_000;
const PACKAGE_PARTS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Names that are there now and were not; a file that cannot be read any more names none. */
export function newDependencies(file: string, before: string | null, after: string | null): NewDependency[] {
  const old = new Set(namesIn(file, before ?? ""));
  return [...new Set(namesIn(file, after ?? ""))].filter((name) => !old.has(name)).map((name) => ({ name, file }));
}

function namesIn(file: string, text: string): string[] {
  if (file.endsWith("package.json")) {
    const fields = parseObject(text) ?? {};
    return PACKAGE_PARTS.flatMap((part) => {
      const names = fields[part];
      return typeof names === "object" && names !== null ? Object.keys(names) : [];
    });
  }
  const lines = text.split("\n").slice(0, MOST_LINES);
  if (file.endsWith("go.mod"))
    return lines.flatMap((line) => /^\s*(?:require\s+)?([\w./-]+\.[\w./-]+) v\d/.exec(line)?.[1] ?? []);
  if (file.endsWith(".txt")) return lines.flatMap((line) => /^([A-Za-z0-9][\w.-]*)/.exec(line)?.[1] ?? []);
  return inToml(lines);
}

/** Keys of tables named …dependencies, and of lists of that name. */
function inToml(lines: readonly string[]): string[] {
  let inside = false;
  let list = false;
  return lines.flatMap((line) => {
    const [, table] = /^\s*\[+\s*([^\]]+?)\s*\]+\s*$/.exec(line) ?? [];
    if (table !== undefined) {
      inside = /dependencies$/i.test(table);
      list = false;
      return [];
    }
    if (/^\s*(dependencies|requires)\s*=\s*\[/.test(line)) list = true;
    const names = list ? [...line.matchAll(/["']([A-Za-z0-9][\w.-]*)/g)].map(([, name]) => name ?? "") : [];
    if (list && /\]\s*$/.test(line)) list = false;
    if (names.length > 0) return names;
    return inside ? (/^\s*["']?([A-Za-z0-9][\w.-]*)["']?\s*=/.exec(line)?.[1] ?? []) : [];
  });
}

/** A new dependency is a decision: it needs a record that names it. */
export function checkDependency(
  { name, file }: NewDependency,
  document: string,
  texts: readonly string[],
): ReviewedItem {
  const recorded = texts.some((text) => text.includes(name));
  return {
    document,
    kind: "adr",
    line: 1,
    text: `the new dependency ${name} (${file}) needs a decision record`,
    verdict: recorded ? "met" : "not met",
    evidence: recorded ? "a record names it" : "no record names it",
    by: "code",
  };
}
