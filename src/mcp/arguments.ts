import { type Given, Refused } from "./tool.ts";

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
  const given = arguments_ ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw new Refused("The arguments must be an object.");
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined)
    throw new Refused(`There is no argument ${JSON.stringify(unknown.slice(0, 80))}.${takes(table)}`);
  const checked: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(table)) {
    const value = Object.hasOwn(given, name) ? (given as Given)[name] : undefined;
    if (value !== undefined && value !== null) checked[name] = readOne(name, argument, value);
    else if (argument.required) throw new Refused(`${name} is missing: ${argument.help}`);
  }
  return checked;
}

const takes = (table: ArgumentTable): string => {
  const names = Object.keys(table);
  return names.length === 0 ? " It takes none." : ` It takes ${names.join(", ")}.`;
};

function readOne(name: string, { is, oneOf, most = Number.MAX_SAFE_INTEGER }: Argument, value: unknown): unknown {
  if (is === "number") {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
    throw new Refused(`${name} must be a whole number from 0 to ${most}.`);
  }
  if (is === "text") {
    if (typeof value !== "string" || value.trim() === "") throw new Refused(`${name} must be a non-blank text.`);
    if (value.includes("\0")) throw new Refused(`${name} holds a NUL.`);
    if (value.length > LONGEST_TEXT) throw new Refused(`${name} is longer than ${LONGEST_TEXT} characters.`);
    if (oneOf !== undefined && !oneOf.includes(value)) throw new Refused(`${name} must be one of ${oneOf.join(", ")}.`);
    return value;
  }
  if (!Array.isArray(value) || value.length > MOST_ENTRIES)
    throw new Refused(`${name} must be a list of at most ${MOST_ENTRIES} entries.`);
  if (
    is === "texts" &&
    value.some((each) => typeof each !== "string" || each.trim() === "" || each.length > LONGEST_TEXT)
  )
    throw new Refused(`${name} must be a list of non-blank texts.`);
  return value;
}
