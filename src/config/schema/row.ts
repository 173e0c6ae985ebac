import * as z from "zod/mini";
import { kindNamed } from "../../core/clis/kinds.ts";

/**
 * Every setting there is: key, type, default, help. Validation, JSON Schema, the reference page and `init`'s commented
 * file all come from this table; there is no second place to keep true. `*` stands for a name the user chooses.
 */
export interface Row {
  readonly key: string;
  readonly type: z.ZodMiniType;
  /** Shown, and used where nothing is set; undefined where there is no default. */
  readonly default?: unknown;
  readonly help: string;
  /** What a value in `init`'s file looks like, where the default does not show it. */
  readonly example?: unknown;
  /** What the name in the place of `*` may be, where not anything. */
  readonly names?: readonly string[];
  /** For a row whose default depends on the name in its middle. */
  readonly defaultOf?: (key: string) => unknown;
  /**
   * What a repository's own value may do without a word of its user. Everybody who adds a key decides this.
   * - a function: it changes what is run, what is asked or what is allowed. A value that widens what holds without it
   *   counts only once its user has trusted it.
   * - `harmless`: it does none of these.
   * - `users`: it speaks of repositories, and is an error in one.
   */
  readonly guarded: Guard | "harmless" | "users";
}

export type Guard = (value: unknown, without: unknown, beside: Beside) => "widens" | "narrows";

interface Beside {
  readonly key: string;
  /** Whether the user's own config sets a key, or anything below a section. */
  usersHave(key: string): boolean;
}

export const text = z.string().check(z.minLength(1));
export const texts = z.array(text);
export const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
export const widens = () => "widens" as const;
/** No limit is the widest. */
export const lessIsNarrower: Guard = (value, without) =>
  without === undefined || Number(value) <= Number(without) ? "narrows" : "widens";
export const moreIsNarrower: Guard = (value, without) =>
  without === undefined || Number(value) >= Number(without) ? "narrows" : "widens";
/** For what is looked after: it may be switched on, and off again only by its user. */
export const onIsNarrower: Guard = (value, without) => (value === true || without === undefined ? "narrows" : "widens");
export const offIsNarrower: Guard = (value) => (value === false ? "narrows" : "widens");
/** A CLI that we know, as we know it, does under the user's own limits what any other does; the user's own may do more. */
export const knownCliIsNarrower: Guard = (value, _, { usersHave }) =>
  isKnown(String(value), usersHave) ? "narrows" : "widens";
/** For a worker's keys, any of which makes it one: the user's own workers, and CLIs that we know. */
export const ofKnownWorker =
  (guard: Guard): Guard =>
  (value, without, beside) => {
    const name = beside.key.split(".")[1] ?? "";
    const known = beside.usersHave(`workers.${name}`) || isKnown(name, beside.usersHave);
    return known ? guard(value, without, beside) : "widens";
  };
export const narrows: Guard = () => "narrows";

const isKnown = (cli: string, usersHave: Beside["usersHave"]): boolean =>
  (cli === "scripted" || kindNamed(cli) !== null) && !usersHave(`clis.${cli}.command`);
export const fewerIsNarrower: Guard = (value, without) => {
  const allowed = new Set(Array.isArray(without) ? without : []);
  return Array.isArray(value) && value.every((each) => allowed.has(each)) ? "narrows" : "widens";
};
