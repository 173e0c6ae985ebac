import { at } from "../text/json-fields.ts";

/** Enough to see what a tool has answered. */
const LONGEST = 4_000;

/** What a tool has answered, where its CLI says it: a text, or a list of parts with texts in them. */
export function resultText(result: unknown): { readonly output?: string } {
  const text = textOf(result).slice(0, LONGEST).trim();
  return text === "" ? {} : { output: text };
}

function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  if (!Array.isArray(result)) return "";
  const parts = result.map((part) => at(part, "text") ?? at(part, "content", "text"));
  return parts.filter((part) => typeof part === "string").join("\n");
}
