import { parse } from "smol-toml";
import { Failed } from "../core/failure/failed.ts";
import { leaves, type ReadInside } from "./read.ts";
import { laterPart, rowFor } from "./schema.ts";

export interface Imported {
  readonly values: ReadonlyMap<string, unknown>;
  /** What was found where, and what of it has no place here. */
  readonly notes: readonly string[];
}

/** Settings of the tools people come from: `.git-paw/config.toml` and the `supervisor` block of `.pi/settings.json`. */
export function importConfig(root: string, readInside: ReadInside): Imported {
  const read = (name: string, importText: (path: string, text: string) => Imported): Imported => {
    try {
      const text = readInside(root, name);
      return text === null ? NOTHING : importText(`${root}/${name}`, text);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return { values: new Map(), notes: [error.message] };
    }
  };
  const sources = [read(".git-paw/config.toml", importGitPaw), read(".pi/settings.json", importPi)];
  return {
    values: new Map(sources.flatMap(({ values }) => [...values])),
    notes: sources.flatMap(({ notes }) => notes),
  };
}

const NOTHING: Imported = { values: new Map(), notes: [] };

/** git-paw's keys that have another name here, and those that have no meaning any more. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["worktree_placement", "worktree.placement"],
  ["supervisor.learnings", "supervisor.learnings.enabled"],
]);
const DROPPED: readonly (readonly [prefix: string, why: string])[] = [
  ["dashboard", "the dashboard is a client here"],
  ["broker.port", "a free port is picked for each repository"],
  ["broker.bind", "the broker listens on loopback only"],
  ["broker.watcher", "file events replace polling"],
  ["docs_base_url", "there is no docs helper"],
  ["opsx", "there is no role guard"],
  ["mcp.name", "the MCP server is always called banksman"],
];

function importGitPaw(path: string, text: string): Imported {
  const found = tryParse(() => parse(text));
  return found === null ? unreadable(path) : take(path, [...leaves(found)], (key) => RENAMED.get(key) ?? key);
}

function importPi(path: string, text: string): Imported {
  const found = tryParse(() => (JSON.parse(text) as { supervisor?: Record<string, unknown> }).supervisor ?? {});
  return found === null ? unreadable(path) : take(path, Object.entries(found), (key) => `pipeline.${snakeCase(key)}`);
}

function take(
  path: string,
  entries: readonly (readonly [string, unknown])[],
  rename: (key: string) => string,
): Imported {
  const values = new Map<string, unknown>();
  const notes: string[] = [];
  for (const [old, value] of entries) {
    const key = rename(old);
    const dropped = DROPPED.find(([prefix]) => old === prefix || old.startsWith(`${prefix}.`));
    if (dropped !== undefined) notes.push(`${path}: ${old} was left out (${dropped[1]})`);
    else if (rowFor(key) === null && laterPart(key) === null)
      notes.push(`${path}: ${old} has no counterpart and was left out`);
    else values.set(key, value);
  }
  return { values, notes: [`${path}: ${values.size} settings imported`, ...notes] };
}

const unreadable = (path: string): Imported => ({
  values: new Map(),
  notes: [`${path} could not be read and was left out`],
});

function tryParse<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
