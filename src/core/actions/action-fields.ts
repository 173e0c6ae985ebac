import type { Fields } from "../text/json-fields.ts";
import type { JsonReader } from "../text/json-reader.ts";

const LONGEST_TEXT = 64 * 1024;
const LONGEST_NAME = 1_024;
const MOST_TEXTS = 1_000;

/** The fields of an action, read by name; those that were not read when it is done are refused. */
export class ActionFields {
  private readonly known: string[] = [];

  constructor(
    private readonly read: JsonReader,
    private readonly fields: Fields,
    /** Stands before its fields in a problem. */
    private readonly path = "",
  ) {}

  text(name: string, longest = LONGEST_TEXT): string {
    return this.read.text(this.take(name), this.at(name), longest);
  }

  optionalText(name: string, longest = LONGEST_TEXT): string | null {
    const value = this.take(name) ?? null;
    return value === null ? null : this.read.text(value, this.at(name), longest);
  }

  texts(name: string): string[] {
    const list = this.read.list(this.take(name) ?? [], this.at(name), MOST_TEXTS);
    return list.map((each, i) => this.read.text(each, `${this.at(name)}[${i}]`, LONGEST_NAME));
  }

  flag(name: string): boolean {
    return this.read.flag(this.take(name), this.at(name));
  }

  optionalFlag(name: string): boolean | null {
    const value = this.take(name) ?? null;
    return value === null ? null : this.read.flag(value, this.at(name));
  }

  optionalOneOf<T extends string>(name: string, values: readonly T[]): T | null {
    const value = this.take(name) ?? null;
    return value === null ? null : this.read.oneOf(value, this.at(name), values);
  }

  /** Something for each name of an object. */
  each<T>(name: string, readOne: (fields: ActionFields, name: string) => T): Record<string, T> {
    return this.inside(name, (inner) =>
      Object.fromEntries(Object.keys(inner.fields).map((key) => [key, readOne(inner, key)])),
    );
  }

  inside<T>(name: string, readAll: (fields: ActionFields) => T): T {
    const inner = this.read.object(this.take(name) ?? {}, this.at(name)) ?? {};
    const fields = new ActionFields(this.read, inner, `${this.at(name)}.`);
    const all = readAll(fields);
    fields.nothingElse();
    return all;
  }

  nothingElse(): void {
    this.read.only(this.fields, this.known, "this action");
  }

  private take(name: string): unknown {
    this.known.push(name);
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }

  private at(name: string): string {
    return `${this.path}${name}`;
  }
}
