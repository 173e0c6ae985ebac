import { tooDeep } from "./json-depth.ts";

/** An object that came from outside: nothing about its fields is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** JSON.parse takes any depth; what writes it again, or walks through it, ends in an overflow at some thousands. */
const DEEPEST = 200;

/** A line of JSON as an object, or null when it is none, or nests deeper than any program's should. */
export function parseObject(line: string): Fields | null {
  // Most of what a program prints besides is none; an exception for each line costs ten times as much as the look.
  if (!/^\s*\{/.test(line) || tooDeep(line, DEEPEST)) return null;
  try {
    return asFields(JSON.parse(line));
  } catch {
    return null;
  }
}

export const asFields = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** What lies below the names, or null where one of them is missing. Inherited properties are none of ours. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here: unknown = value;
  for (const name of path) {
    const fields = asFields(here);
    if (fields === null || !Object.hasOwn(fields, name)) return null;
    here = fields[name];
  }
  return here ?? null;
}

/** Texts of programs we half trust are cut, so that one line cannot fill the journal. */
const LONGEST_TEXT = 64 * 1024;

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" ? found.slice(0, LONGEST_TEXT) : null;
}

/** A whole number that counts something; 0 where there is none. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found >= 0 ? found : 0;
}

/** An amount of money; null where none is reported. */
export function costAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : null;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.slice(0, 1_000) : [];
}
