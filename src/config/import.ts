import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { laterPart, rowFor } from "./schema.ts";

export interface Imported {
  readonly values: ReadonlyMap<string, unknown>;
  /** What was found where, and what of it has no place here. */
  readonly notes: readonly string[];
}

/** Settings of the tools people come from: `.git-paw/config.toml` and the `supervisor` block of `.pi/settings.json`. */
export function importConfig(root: string): Imported {
  const sources = [importGitPaw(join(root, ".git-paw", "config.toml")), importPi(join(root, ".pi", "settings.json"))];
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

function importGitPaw(path: string): Imported {
  if (!existsSync(path)) return NOTHING;
  const found = tryParse(() => parse(readFileSync(path, "utf8")));
  return found === null ? unreadable(path) : take(path, flatten(found), (key) => RENAMED.get(key) ?? key);
}

function importPi(path: string): Imported {
  if (!existsSync(path)) return NOTHING;
  const found = tryParse(
    () => (JSON.parse(readFileSync(path, "utf8")) as { supervisor?: Record<string, unknown> }).supervisor ?? {},
  );
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
  return { values, notes: [`${path}: ${values.size} settings taken over`, ...notes] };
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

function flatten(tree: Record<string, unknown>, above = ""): [string, unknown][] {
  return Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    const key = above === "" ? name : `${above}.${name}`;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    return isTable ? flatten(value as Record<string, unknown>, key) : [[key, value]];
  });
}

const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
