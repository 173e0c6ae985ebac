import { asFields, type Fields } from "./json-fields.ts";

/** Why something from outside cannot be used. `field` is the path that has to be corrected. */
export interface Problem {
  readonly field: string;
  readonly why: string;
}

/**
 * Reads JSON that came from outside and has to be right: every value is checked and bounded. Keeps the first problem, so
 * that a body wrong in several places still gets one clear sentence; what was read is used only if there is none.
 */
export class JsonReader {
  problem: Problem | null = null;

  fail(field: string, why: string): null {
    this.problem ??= { field, why };
    return null;
  }

  object(value: unknown, field: string): Fields | null {
    return asFields(value) ?? this.fail(field, `${field} is required and must be an object`);
  }

  /** Refuses fields that are not known: a misspelt one must not be ignored. */
  only(fields: Fields, known: readonly string[], of: string): void {
    const extra = Object.keys(fields).find((name) => !known.includes(name));
    if (extra !== undefined) this.fail(extra, `${extra.slice(0, 80)} is not a field of ${of}`);
  }

  list(value: unknown, field: string, most: number): readonly unknown[] {
    if (!Array.isArray(value)) this.fail(field, `${field} must be a list`);
    else if (value.length > most) this.fail(field, `${field} holds ${value.length} entries; the most is ${most}`);
    else return value;
    return [];
  }

  text(value: unknown, field: string, longest = Number.POSITIVE_INFINITY): string {
    if (typeof value !== "string" || value.trim() === "")
      this.fail(field, `${field} is required and must be a non-blank string`);
    else if (value.length > longest) this.fail(field, `${field} is longer than ${longest} characters`);
    else return value;
    return "";
  }

  optionalText(value: unknown, field: string, longest = Number.POSITIVE_INFINITY): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" && value.length <= longest) return value;
    const most = longest === Number.POSITIVE_INFINITY ? "" : ` of at most ${longest} characters`;
    this.fail(field, `${field} must be a string${most}`);
    return undefined;
  }

  integer(value: unknown, field: string, least: number, most: number): number {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const range = most >= 2 ** 31 ? `of at least ${least}` : `from ${least} to ${most}`;
    this.fail(field, `${field} must be a whole number ${range}`);
    return least;
  }

  /** False where it is not given. */
  flag(value: unknown, field: string): boolean {
    if (value !== undefined && value !== null && typeof value !== "boolean")
      this.fail(field, `${field} must be true or false`);
    return value === true;
  }

  oneOf<T extends string>(value: unknown, field: string, values: readonly T[]): T | null {
    return values.find((each) => each === value) ?? this.fail(field, `${field} must be one of ${values.join(", ")}`);
  }
}
