import { asFields } from "./json-fields.ts";
import { readYaml } from "./read-yaml.ts";

export interface Frontmatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Set where there is one that is not YAML. */
  readonly problem: string | null;
}

/** The YAML between two `---` lines at the top of a file, and the rest. */
export function readFrontmatter(text: string): Frontmatter {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0].length;
  const closing = opening === undefined ? null : closingLine(text, opening);
  if (opening === undefined || closing === null) return { fields: {}, body: text, problem: null };
  const body = text.slice(closing.end);
  const document = readYaml(text.slice(opening, closing.start));
  if (typeof document === "string") return { fields: {}, body, problem: document };
  return { fields: asFields(plain(document)) ?? {}, body, problem: null };
}

/** Where the line of `---` stands that ends it. */
function closingLine(text: string, from: number): { readonly start: number; readonly end: number } | null {
  for (let start = from; start < text.length; ) {
    const lf = text.indexOf("\n", start);
    const end = lf < 0 ? text.length : lf + 1;
    if (text.startsWith("---", start) && text.slice(start + 3, end).trim() === "") return { start, end };
    start = end;
  }
  return null;
}

/** Nothing where an alias stands for too much. */
function plain(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    return null;
  }
}

/** A field as a text, where it is one and not blank. */
export function textField({ fields }: Frontmatter, ...names: readonly string[]): string | null {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found.trim() : null;
}
