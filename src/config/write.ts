import { patch, stringify } from "@decimalturn/toml-patch";
import { parse } from "smol-toml";
import { SCHEMA } from "./schema.ts";

/** Nested tables of dotted keys, as TOML has them. */
export function toTree(values: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const parts = key.split(".");
    const leaf = parts.pop() ?? "";
    const table = parts.reduce<Record<string, unknown>>((node, part) => {
      node[part] ??= {};
      return node[part] as Record<string, unknown>;
    }, tree);
    table[leaf] = value;
  }
  return tree;
}

/** The file with some keys set; every comment, space and quote of the rest stays. */
export function setKeys(source: string, values: ReadonlyMap<string, unknown>): string {
  return patch(source, merge(parse(source), toTree(values)));
}

function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const nested = isTable(value) && isTable(merged[key]);
    merged[key] = nested ? merge(merged[key] as Record<string, unknown>, value as Record<string, unknown>) : value;
  }
  return merged;
}

const isTable = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Takes a table out of the file, comments of the rest kept; null when it is not there. */
export function dropSection(source: string, section: string): string | null {
  const parts = section.split(".");
  const leaf = parts.pop() ?? "";
  const tree = parse(source) as Record<string, unknown>;
  let table: Record<string, unknown> = tree;
  for (const part of parts) {
    const next = table[part];
    if (!isTable(next)) return null;
    table = next as Record<string, unknown>;
  }
  if (!(leaf in table)) return null;
  delete table[leaf];
  if (Object.keys(table).length === 0 && parts.length === 1) delete tree[parts[0] ?? ""];
  return patch(source, tree);
}

/** A new config file: every key with its help, commented out; what is known is set. */
export function commentedConfig(values: ReadonlyMap<string, unknown>): string {
  const sections = new Map<string, string[]>();
  for (const row of SCHEMA) {
    const parts = row.key.replace("*", "example").split(".");
    const leaf = parts.pop() ?? "";
    const lines = sections.get(parts.join(".")) ?? [];
    const shown = toToml(leaf, row.default ?? row.example ?? "");
    lines.push(
      ...wrap(row.help).map((line) => `# ${line}`),
      `#${row.default === undefined ? " e.g." : ""} ${shown}`,
      "",
    );
    sections.set(parts.join("."), lines);
  }
  const body = [...sections].flatMap(([section, lines]) => [...(section === "" ? [] : [`# [${section}]`]), ...lines]);
  const set = values.size === 0 ? [] : ["# Set by `banksman init`", stringify(toTree(values)).trimEnd(), ""];
  return [...HEAD, ...set, ...body].join("\n");
}

const HEAD = [
  "# banksman configuration for this repository. Commit it.",
  "# Every key is shown with its default; take the # away to change one. `banksman init --print` shows this again.",
  "",
];

const toToml = (key: string, value: unknown): string => stringify({ [key]: value }).trimEnd();

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 110) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
