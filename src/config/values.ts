import type * as z from "zod/mini";
import type { APPROVAL_ROWS } from "./schema/approvals.ts";
import type { BROKER_ROWS } from "./schema/broker.ts";
import type { CLIS_ROWS } from "./schema/clis.ts";
import type { GENERAL_ROWS } from "./schema/general.ts";
import type { SUPERVISOR_ROWS } from "./schema/supervisor.ts";
import type { LAND_ROWS, VERIFY_ROWS } from "./schema/verify.ts";
import type { WORK_ROWS } from "./schema/work.ts";
import type { WORKTREE_ROWS } from "./schema/worktree.ts";
import { rowFor } from "./schema.ts";

type TypedRow = (
  | typeof GENERAL_ROWS
  | typeof CLIS_ROWS
  | typeof WORK_ROWS
  | typeof WORKTREE_ROWS
  | typeof SUPERVISOR_ROWS
  | typeof APPROVAL_ROWS
  | typeof VERIFY_ROWS
  | typeof LAND_ROWS
  | typeof BROKER_ROWS
)[number];

export type Key = TypedRow["key"];

/** What a row's type says; null where it has no default and nothing is set. */
type ValueOf<K extends Key> = RowValue<Extract<TypedRow, { readonly key: K }>>;
type RowValue<Row> = Row extends { readonly type: infer Type extends z.ZodMiniType }
  ? Row extends { readonly default: unknown }
    ? z.infer<Type>
    : z.infer<Type> | null
  : never;

/** The values that hold, by key, each as its row in the schema has it: they were checked when they were read. */
export class ConfigValues {
  constructor(private readonly values: ReadonlyMap<string, unknown>) {}

  get<K extends Key>(key: K): ValueOf<K> {
    return (this.values.get(key) ?? rowFor(key)?.default ?? null) as ValueOf<K>;
  }

  /** Of a row with `*` for a name. */
  of<K extends Key & `${string}.*.${string}`>(key: K, name: string): ValueOf<K> {
    const own = this.values.get(key.replace("*", () => name));
    return (own ?? rowFor(key)?.default ?? null) as ValueOf<K>;
  }

  has<K extends Key & `${string}.*.${string}`>(key: K, name: string): boolean {
    return this.values.has(key.replace("*", () => name));
  }

  /** Whether anything is set below a section. */
  hasBelow(section: string): boolean {
    return [...this.values.keys()].some((key) => key.startsWith(`${section}.`));
  }

  /** The names for which something is set below a section: `x` of `clis.x.command`. */
  namesIn(section: "clis" | "presets"): string[] {
    const own = [...this.values.keys()].filter((key) => key.startsWith(`${section}.`));
    const names = own.map((key) => key.slice(section.length + 1).split("."));
    return [...new Set(names.flatMap(([name = "", field]) => (field ? [name] : [])))];
  }
}
