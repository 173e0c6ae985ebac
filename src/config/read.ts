import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import { type ConfigProblem, Failed } from "../core/failure.ts";
import { nearest } from "../core/nearest.ts";
import { expectation, laterPart, rowFor, SCHEMA } from "./schema.ts";

/** One file, read: concrete keys to values, with everything that is wrong with it. */
export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly ConfigProblem[];
  /** Keys of parts that are not built yet. */
  readonly later: ReadonlyMap<string, string>;
}

const NAME = /^[A-Za-z0-9_-]{1,40}$/;

export function readConfig(path: string): ConfigFile {
  const source = readSource(path);
  return source === null ? { path, values: new Map(), problems: [], later: new Map() } : readConfigText(path, source);
}

export function readConfigText(path: string, source: string): ConfigFile {
  const tree = parseToml(path, source);
  if (!("values" in tree)) return { path, values: new Map(), problems: [tree], later: new Map() };
  const values = new Map<string, unknown>();
  const later = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  const wrong = (key: string, message: string) =>
    problems.push({ file: path, line: lineOf(source, key), key, message });
  for (const [key, value] of leaves(tree.values)) {
    const row = rowFor(key);
    const part = row === null ? laterPart(key) : null;
    const name = /^clis\.([^.]*)/.exec(key)?.[1];
    if (name !== undefined && !NAME.test(name))
      wrong(key, `${JSON.stringify(name)} cannot name a CLI: use letters, digits, - and _`);
    else if (part !== null) later.set(key, part);
    else if (row === null) wrong(key, unknownKey(key));
    else {
      if (row.type.safeParse(value).success) values.set(key, value);
      else wrong(key, `${key} must be ${expectation(row)}`);
    }
  }
  return { path, values, problems, later };
}

function readSource(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new Failed({ kind: "file.failed", path, detail: message });
  }
}

function parseToml(path: string, source: string): { values: Record<string, unknown> } | ConfigProblem {
  try {
    return { values: parse(source) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = "not valid TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return { file: path, line: error.line, key: null, message };
  }
}

/** Dotted keys of everything that is not a table; a table where a value belongs is a leaf too, and fails its type. */
function* leaves(tree: Record<string, unknown>, above = ""): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const key = above === "" ? name : `${above}.${name}`;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    if (isTable && rowFor(key) === null) yield* leaves(value as Record<string, unknown>, key);
    else yield [key, value];
  }
}

function unknownKey(key: string): string {
  const near = nearest(
    key,
    SCHEMA.map((row) => fillNames(row.key, key)),
  );
  return `${key} is not a setting${near === null ? "" : `; did you mean ${near}?`}`;
}

/** `clis.*.command` for comparison with `clis.mine.comand`. */
function fillNames(pattern: string, key: string): string {
  const parts = key.split(".");
  return pattern
    .split(".")
    .map((part, i) => (part === "*" ? (parts[i] ?? part) : part))
    .join(".");
}

/**
 * The line a key is set on, found by following `[table]` headers and `key =` lines; where it is written in another of
 * TOML's ways (dotted, inline), the nearest table's line. 1-based.
 */
export function lineOf(source: string, key: string): number | null {
  const wanted = key.split(".");
  let table: string[] = [];
  let best: { line: number; depth: number } | null = null;
  source.split("\n").forEach((text, i) => {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(text)?.[1];
    if (header !== undefined) table = splitKey(header);
    const assigned = header === undefined ? /^\s*([A-Za-z0-9_."' -]+?)\s*=/.exec(text)?.[1] : undefined;
    const path = assigned === undefined ? (header === undefined ? null : table) : [...table, ...splitKey(assigned)];
    if (path === null || path.length > wanted.length || !path.every((part, j) => part === wanted[j])) return;
    if (best === null || path.length > best.depth) best = { line: i + 1, depth: path.length };
  });
  return (best as { line: number } | null)?.line ?? null;
}

const splitKey = (text: string): string[] => text.split(".").map((part) => part.trim().replace(/^["']|["']$/g, ""));
