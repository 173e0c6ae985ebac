import { asFields } from "../core/text/json-fields.ts";
import { JsonReader } from "../core/text/json-reader.ts";
import { Refused } from "./refused.ts";

/** What a tool takes: its JSON Schema and its check come from the same table. */
export type ArgumentTable = Readonly<Record<string, Argument>>;

export interface Argument {
  readonly is: "text" | "texts" | "claims" | "number";
  readonly help: string;
  readonly required?: true;
  readonly oneOf?: readonly string[];
  /** Of a number. */
  readonly most?: number;
}

/** Arguments that have been checked against the tool's table. */
export type Given = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 64 * 1024;
const MOST_ENTRIES = 5_000;

export function schemaOf(table: ArgumentTable): { type: "object"; [key: string]: unknown } {
  const entries = Object.entries(table);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, argument]) => [name, propertyOf(argument)])),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
}

function propertyOf({ is, help, oneOf, most }: Argument): object {
  if (is === "number")
    return { type: "integer", minimum: 0, ...(most !== undefined && { maximum: most }), description: help };
  if (is === "texts") return { type: "array", items: { type: "string" }, description: help };
  if (is === "claims")
    return { type: "array", items: { anyOf: [{ type: "string" }, { type: "object" }] }, description: help };
  return { type: "string", ...(oneOf && { enum: oneOf }), description: help };
}

/** The arguments of a call, or `Refused` with the first thing that is wrong with them. Null is the same as not given. */
export function readArguments(table: ArgumentTable, arguments_: unknown): Given {
  const given = asFields(arguments_ ?? {});
  if (given === null) throw new Refused("The arguments must be an object.");
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined)
    throw new Refused(`There is no argument ${JSON.stringify(unknown.slice(0, 80))}.${takes(table)}`);
  const read = new JsonReader();
  const checked: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(table)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && value !== null) checked[name] = readOne(read, name, argument, value);
    else if (argument.required) throw new Refused(`${name} is missing: ${argument.help}`);
  }
  if (read.problem !== null) throw new Refused(`${read.problem.why}.`);
  return checked;
}

const takes = (table: ArgumentTable): string => {
  const names = Object.keys(table);
  return names.length === 0 ? " It takes none." : ` It takes ${names.join(", ")}.`;
};

function readOne(read: JsonReader, name: string, argument: Argument, value: unknown): unknown {
  const { is, oneOf, most = Number.MAX_SAFE_INTEGER } = argument;
  if (is === "number") return read.integer(value, name, 0, most);
  if (is === "text") {
    const text = read.text(value, name, LONGEST_TEXT);
    if (text.includes("\0")) read.fail(name, `${name} holds a NUL`);
    return oneOf === undefined ? text : read.oneOf(text, name, oneOf);
  }
  const list = read.list(value, name, MOST_ENTRIES);
  return is === "texts" ? list.map((each, i) => read.text(each, `${name}[${i}]`, LONGEST_TEXT)) : list;
}
