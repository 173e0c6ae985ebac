import { parse, TomlError } from "smol-toml";
import type { ConfigProblem } from "../core/failure/failure.ts";
import { nearest } from "../core/text/nearest.ts";
import { expectation, LATER, laterPart, otherNames, rowFor, SCHEMA } from "./schema.ts";

/** One file, read: concrete keys to values, with everything that is wrong with it. */
export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly ConfigProblem[];
  /** Keys of parts that are not built yet. */
  readonly later: ReadonlyMap<string, string>;
}

const NAME = /^[A-Za-z0-9_-]{1,40}$/;
/** Every key with its comment takes a tenth of it. */
const MOST_CHARACTERS = 256 * 1024;
/** So many are shown; each costs a search for its line and for what was meant. */
const MOST_PROBLEMS = 20;
const LONGEST_SHOWN = 120;

/** A file of the repository, by the door that lets nothing else through; null when there is none. */
export type ReadInside = (root: string, name: string) => string | null;
/** A file of the user's own, or of ours. */
export type ReadOwn = (path: string) => string | null;

export const readConfig = (path: string, source: string | null): ConfigFile =>
  source === null ? { path, values: new Map(), problems: [], later: new Map() } : readConfigText(path, source);

export function readConfigText(path: string, source: string): ConfigFile {
  const tree = source.length > MOST_CHARACTERS ? tooLarge(path) : parseToml(path, source);
  if (!("values" in tree)) return { path, values: new Map(), problems: [tree], later: new Map() };
  const values = new Map<string, unknown>();
  const later = new Map<string, string>();
  const problems: ConfigProblem[] = [];
  let more = 0;
  const wrong = (key: string, why: () => string) => {
    if (problems.length === MOST_PROBLEMS) more++;
    else problems.push({ file: path, line: lineOf(source, key), key: shown(key), message: why() });
  };
  for (const [key, value] of leaves(tree.values)) {
    if (value === TOO_DEEP) {
      wrong(key, () => `${shown(key)} has tables in each other deeper than any setting`);
      continue;
    }
    const row = rowFor(key);
    const part = row === null ? laterPart(key) : null;
    const name = /^clis\.([^.]*)/.exec(key)?.[1];
    if (name !== undefined && !NAME.test(name))
      wrong(key, () => `${JSON.stringify(shown(name))} cannot name a CLI: use letters, digits, - and _`);
    else if (part !== null) later.set(key, part);
    else if (row === null) wrong(key, () => unknownKey(key));
    else {
      if (row.type.safeParse(value).success) values.set(key, value);
      else wrong(key, () => `${shown(key)} must be ${expectation(row)}`);
    }
  }
  if (more > 0) problems.push({ file: path, line: null, key: null, message: `there are ${more} more problems` });
  return { path, values, problems, later };
}

const shown = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);

const tooLarge = (path: string): ConfigProblem => ({
  file: path,
  line: null,
  key: null,
  message: `it is larger than ${MOST_CHARACTERS / 1024} KB`,
});

function parseToml(path: string, source: string): { values: Record<string, unknown> } | ConfigProblem {
  try {
    return { values: parse(source) };
  } catch (error) {
    // A parser that calls itself for each table in a table has no room for ten thousand of them.
    if (error instanceof RangeError)
      return { file: path, line: null, key: null, message: "it has too many tables in each other" };
    if (!(error instanceof TomlError)) throw error;
    const [message = "not valid TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return { file: path, line: error.line, key: null, message };
  }
}

/** No setting is a table in that many tables; a file can have thousands, and a stack cannot. */
const DEEPEST = 8;
const TOO_DEEP = Symbol("too deep");

/** Dotted keys of everything that is not a table; a table where a value belongs is a leaf too, and fails its type. */
export function* leaves(tree: Record<string, unknown>, above = "", depth = 1): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(tree)) {
    const key = above === "" ? name : `${above}.${name}`;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    if (!isTable || rowFor(key) !== null) yield [key, value];
    else if (depth === DEEPEST) yield [key, TOO_DEEP];
    else yield* leaves(value as Record<string, unknown>, key, depth + 1);
  }
}

function unknownKey(key: string): string {
  const names = otherNames(key);
  if (names !== null)
    return `${shown(key)} is not a setting; below [${key.split(".")[0]}] there are ${names.join(", ")}`;
  const known = [...SCHEMA.map((row) => row.key), ...LATER.map(({ prefix }) => prefix)]
    .map((each) => fillNames(each, key))
    .filter((each) => isInSection(each, key) && otherNames(each) === null);
  const near = elsewhere(key) ?? nearest(key, known) ?? withWord(key, known);
  return `${shown(key)} is not a setting${near === null ? "" : `; did you mean ${near}?`}`;
}

/** Whether a setting is in the section a key stands in, or in one whose name is nearly that. */
function isInSection(setting: string, key: string): boolean {
  const [section = "", written = ""] = [setting, key].map((each) => each.split(".")[0] ?? "");
  return section === written || nearest(written, [section]) !== null;
}

/** The only setting of the same table that has this word in its name: `ttl` of `republish_working_ttl_seconds`. */
function withWord(key: string, known: readonly string[]): string | null {
  const table = key.slice(0, key.lastIndexOf(".") + 1);
  const word = key.slice(table.length);
  const [only, ...more] = known.filter(
    (each) => each.startsWith(table) && each.slice(table.length).split("_").includes(word),
  );
  return more.length > 0 ? null : (only ?? null);
}

/** The only setting of this name in another section, for a key that got below the wrong header. */
function elsewhere(key: string): string | null {
  const leaf = key.slice(key.lastIndexOf(".") + 1);
  const [only, ...more] = SCHEMA.filter((row) => row.key === leaf || row.key.endsWith(`.${leaf}`));
  return only === undefined || more.length > 0 || only.key.includes("*") ? null : only.key;
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
    const header = headerIn(text);
    if (header !== null) table = splitKey(header);
    const assigned = header === null ? assignedIn(text) : null;
    const path = assigned === null ? (header === null ? null : table) : [...table, ...splitKey(assigned)];
    if (path === null || path.length > wanted.length || !path.every((part, j) => part === wanted[j])) return;
    if (best === null || path.length > best.depth) best = { line: i + 1, depth: path.length };
  });
  return (best as { line: number } | null)?.line ?? null;
}

/** The name in `[name]` or `[[name]]`. */
function headerIn(line: string): string | null {
  const text = line.trim();
  const end = text.indexOf("]");
  return text.startsWith("[") && end > 0 ? text.slice(text.startsWith("[[") ? 2 : 1, end).trim() : null;
}

/** The key before `=`, as far as it is written in plain characters. */
function assignedIn(line: string): string | null {
  const end = line.indexOf("=");
  const key = line.slice(0, Math.max(0, end)).trim();
  return /^[A-Za-z0-9_."' -]+$/.test(key) ? key : null;
}

const splitKey = (text: string): string[] => text.split(".").map((part) => part.trim().replace(/^["']|["']$/g, ""));
