import type { Row } from "./schema/row.ts";
import { SCHEMA } from "./schema.ts";
import { sectionOf, toLine } from "./write.ts";

/**
 * A new config file: every key with its help, commented out; what is known is set. The headers of sections are not
 * commented, so that each key can be uncommented by itself and belongs to the section it stands in.
 */
export function commentedConfig(values: ReadonlyMap<string, unknown>): string {
  const left = new Map(values);
  const sections = new Map<string, string[]>([["", []]]);
  const linesOf = (key: string): string[] => {
    const section = sectionOf(key);
    const lines = sections.get(section) ?? [];
    sections.set(section, lines);
    return lines;
  };
  for (const row of SCHEMA.filter(({ guarded }) => guarded !== "users")) {
    const key = concrete(row.key);
    linesOf(key).push(...shown(row, key, left), "");
    left.delete(key);
  }
  // What has no row here: names of the user's, and parts that are not built yet.
  const added = new Map<string, string[]>();
  for (const [key, value] of left)
    added.set(sectionOf(key), [...(added.get(sectionOf(key)) ?? []), toLine(key, value)]);
  for (const [section, lines] of added) sections.set(section, [...lines, "", ...(sections.get(section) ?? [])]);
  const body = [...sections].flatMap(([section, lines]) => [...(section === "" ? [] : [`[${section}]`]), ...lines]);
  return [...HEAD, ...body].join("\n");
}

const HEAD = [
  "# banksman configuration for this repository. Commit it.",
  "# Every key is shown with its default, or with an example where it has none; take the # away to change one.",
  "# `banksman init --print` shows this again.",
  "",
];

function shown(row: Row, key: string, values: ReadonlyMap<string, unknown>): string[] {
  const help = wrap(row.default === undefined ? `${row.help} For example:` : row.help).map((line) => `# ${line}`);
  return values.has(key)
    ? [...help, toLine(key, values.get(key))]
    : [...help, `# ${toLine(key, row.default ?? row.example ?? "")}`];
}

/** A name in the place of `*`. */
const concrete = (key: string): string => key.replace("*", key.startsWith("roles.") ? "planner" : "example");

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 110) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
