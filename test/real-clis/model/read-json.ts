/** Reading what a client sent, of which nothing is certain: what is not there reads as empty. */

export function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
};

export const stringAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = field(value, ...path);
  return typeof found === "string" ? found : "";
};

/** The text of a message's content, which every API allows as a string and as a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  return stringAt(content, "text");
}
