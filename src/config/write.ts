import { patch, stringify } from "@decimalturn/toml-patch";
import { parse, TomlError } from "smol-toml";

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
  const below = parse(source);
  const isNew = ([key]: readonly [string, unknown]) => key.includes(".") && !hasTable(below, sectionOf(key));
  const fresh = [...values].filter(isNew);
  const rest = new Map([...values].filter((entry) => !isNew(entry)));
  const changed = rest.size === 0 ? source : patch(source, merge(below, toTree(rest)));
  const appended = withSections(changed, fresh);
  // A table that was written inline, or by dotted keys, cannot be continued under a header of its own.
  return isToml(appended) ? appended : patch(source, merge(below, toTree(values)));
}

/** New tables at the end, each under its own header: `patch` would write them inline, above tables they belong to. */
function withSections(source: string, entries: readonly (readonly [string, unknown])[]): string {
  const sections = new Map<string, string[]>();
  for (const [key, value] of entries) {
    const section = sectionOf(key);
    sections.set(section, [...(sections.get(section) ?? []), toLine(key, value)]);
  }
  const added = [...sections].map(([section, lines]) => `\n[${section}]\n${lines.join("\n")}\n`);
  const gap = source === "" || source.endsWith("\n") ? "" : "\n";
  return added.length === 0 ? source : `${source}${gap}${added.join("")}`.replace(/^\n/, "");
}

export const sectionOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf(".")));

/** `placement = "child"`, as it stands below its section's header; a table as a value is written inline. */
export function toLine(key: string, value: unknown): string {
  const leaf = key.slice(key.lastIndexOf(".") + 1);
  return stringify({ section: { [leaf]: value } })
    .replace("[section]\n", "")
    .trim();
}

function hasTable(tree: Record<string, unknown>, section: string): boolean {
  let at: unknown = tree;
  for (const part of section.split(".")) {
    if (!isTable(at) || !Object.hasOwn(at as object, part)) return false;
    at = (at as Record<string, unknown>)[part];
  }
  return isTable(at);
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof TomlError) return false;
    throw error;
  }
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
