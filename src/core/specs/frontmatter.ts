import { parse } from "yaml";

export interface Frontmatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Set where there is one that is not YAML. */
  readonly problem: string | null;
}

/** The YAML between two `---` lines at the top of a file, and the rest. */
export function readFrontmatter(text: string): Frontmatter {
  const [whole, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (whole === undefined || yaml === undefined) return { fields: {}, body: text, problem: null };
  const body = text.slice(whole.length);
  try {
    const fields: unknown = parse(yaml, { maxAliasCount: 10 });
    const isTable = typeof fields === "object" && fields !== null && !Array.isArray(fields);
    return { fields: isTable ? (fields as Record<string, unknown>) : {}, body, problem: null };
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { fields: {}, body, problem: first };
  }
}

/** A field as a text, where it is one and not blank. */
export function textField({ fields }: Frontmatter, ...names: readonly string[]): string | null {
  const found = names.map((name) => fields[name]).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found.trim() : null;
}
