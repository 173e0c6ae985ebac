import { boundFront, type Front, type KeyPlace } from "./front.ts";

/**
 * The frontmatter where every line of it is plain: a key and a word, a number, or JSON as we write it. Null for all else,
 * which YAML knows; what this reads, YAML reads the same. The YAML library costs a tick 25 to 40 ms, this nothing.
 */
export function readPlainFront(text: string): Front | null {
  const bounds = boundFront(text);
  if (typeof bounds === "string") return null;
  const fields: Record<string, unknown> = {};
  const keys = new Map<string, KeyPlace>();
  for (let at = bounds.start; at < bounds.end; ) {
    const lineEnd = text.indexOf("\n", at) + 1;
    const line = text.slice(at, lineEnd).replace(/\r?\n$/, "");
    const [, key = "", space = ""] = LINE.exec(line) ?? [];
    const written = writtenAs(line.slice(key.length + 1 + space.length));
    const value = readValue(written);
    if (key === "" || value === null || keys.has(key) || RESERVED.test(key)) return null;
    const valueStart = at + key.length + 1 + space.length;
    keys.set(key, { lineStart: at, lineEnd, valueStart, valueEnd: valueStart + written.length });
    fields[key] = value;
    at = lineEnd;
  }
  return keys.size === 0 ? null : { fields, layout: { end: bounds.end, keys }, body: bounds.body };
}

/** A key, and what follows it, in which nothing is that a line could not show. */
const LINE = /^([A-Za-z][\w-]*):( +)(?=[^\s#])[^\p{Cc}\u2028\u2029]*$/u;

/** The value without a comment and the spaces before it. (A class as wide as \p{C} takes 3 ms to be compiled.) */
function writtenAs(text: string): string {
  const comment = text.indexOf(" #");
  const value = comment < 0 ? text : text.slice(0, comment);
  let end = value.length;
  while (value[end - 1] === " ") end--;
  return /\s/.test(value.charAt(end - 1)) ? "" : value.slice(0, end);
}

/** Words that are no texts to YAML. */
const RESERVED = /^(?:true|false|null)$/i;

function readValue(written: string): string | number | object | null {
  if (/^(?:0|[1-9]\d{0,14})$/.test(written)) return Number(written);
  if (/^[A-Za-z\u00c0-\ud7ff]/.test(written))
    return /:(?: |$)| #/.test(written) || RESERVED.test(written) ? null : written;
  return /^["{]/.test(written) && !written.includes("\\") ? readJson(written) : null;
}

/** A text or an object of texts, exactly as `JSON.stringify` writes it. */
function readJson(written: string): string | object | null {
  try {
    const value: unknown = JSON.parse(written);
    if (JSON.stringify(value) !== written) return null;
    if (typeof value === "string") return value;
    return typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string")
      ? value
      : null;
  } catch {
    return null;
  }
}
