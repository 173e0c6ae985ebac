import * as z from "zod/mini";
import { APPROVAL_ROWS } from "./schema/approvals.ts";
import { BROKER_ROWS } from "./schema/broker.ts";
import { CLIS_ROWS } from "./schema/clis.ts";
import { EPIC_ROWS } from "./schema/epic.ts";
import { GENERAL_ROWS } from "./schema/general.ts";
import type { Row } from "./schema/row.ts";
import { SUPERVISOR_ROWS } from "./schema/supervisor.ts";
import { LAND_ROWS, VERIFY_ROWS } from "./schema/verify.ts";
import { WORK_ROWS } from "./schema/work.ts";
import { WORKTREE_ROWS } from "./schema/worktree.ts";

/** Every setting there is, by family; the order is that of the reference and of `init`'s file. */
export const SCHEMA: readonly Row[] = [
  ...GENERAL_ROWS,
  ...CLIS_ROWS,
  ...WORK_ROWS,
  ...WORKTREE_ROWS,
  ...SUPERVISOR_ROWS,
  ...APPROVAL_ROWS,
  ...VERIFY_ROWS,
  ...LAND_ROWS,
  ...BROKER_ROWS,
  ...EPIC_ROWS,
];

/**
 * Settings of parts that are not built yet. They are taken without complaint, so that one config serves several
 * versions, and said aloud, so that nobody believes they work. Where some keys of a section are settings already, the
 * others are named one by one: a key that is misspelt must not pass for a later one. A whole section stands here only
 * while nothing in it is built.
 */
export const LATER: readonly { readonly prefix: string; readonly part: string }[] = [
  { prefix: "logging.enabled", part: "sessions in tmux" },
  ...["approval_args", "submit_delay_ms", "settings_path"].map((key) => ({
    prefix: `clis.*.${key}`,
    part: "sessions in tmux",
  })),
  ...["doc_tool_command"].map((key) => ({
    prefix: `supervisor.${key}`,
    part: "verifying",
  })),
  ...[
    "approval",
    "strict_branch_guard",
    "auto_revert",
    "manual_approvals_log",
    "auto_approve.stall_threshold_seconds",
    "auto_approve.approve_worktree_writes",
  ].map((key) => ({ prefix: `supervisor.${key}`, part: "approvals" })),
  ...[
    "stall",
    "no_progress_window_seconds",
    "context_bloat_threshold_k",
    "blocked_on_supervisor_window_seconds",
    "tell.mode",
    "tell.inventory_max_age_seconds",
    "learnings_config.flush_interval_seconds",
    "learnings_config.broker_publish",
  ].map((key) => ({ prefix: `supervisor.${key}`, part: "the unattended supervisor" })),
  { prefix: "sandbox", part: "the sandbox" },
  { prefix: "pipeline", part: "the pipeline" },
  { prefix: "store", part: "PostgreSQL" },
];

const EXACT: ReadonlyMap<string, Row> = new Map(SCHEMA.map((row) => [row.key, row]));
const WITH_NAMES = SCHEMA.filter((row) => row.key.includes("*"));

/** The table's row for a concrete key (`clis.x.command`), or null. */
export function rowFor(key: string): Row | null {
  const found = EXACT.get(key) ?? WITH_NAMES.find((row) => matches(row.key, key)) ?? null;
  return found?.names === undefined || found.names.includes(nameIn(found.key, key)) ? found : null;
}

/** The names a section takes, for a key that would be a setting but for its name; null for every other key. */
export function otherNames(key: string): readonly string[] | null {
  const row = WITH_NAMES.find((each) => matches(each.key, key));
  return row?.names === undefined || row.names.includes(nameIn(row.key, key)) ? null : row.names;
}

/** What stands in the place of `*`. */
const nameIn = (pattern: string, key: string): string => key.split(".")[pattern.split(".").indexOf("*")] ?? "";

/** Whether `pattern` (with `*` for one name) is `key` or a section above it. */
export function laterPart(key: string): string | null {
  return (
    LATER.find(({ prefix }) => matches(prefix, key.split(".").slice(0, prefix.split(".").length).join(".")))?.part ??
    null
  );
}

function matches(pattern: string, key: string): boolean {
  const [a, b] = [pattern.split("."), key.split(".")];
  return a.length === b.length && a.every((part, i) => part === "*" || part === b[i]);
}

/** What a row takes, in words: for problems and for the reference page. */
export function expectation(row: Row): string {
  return inWords(z.toJSONSchema(row.type) as TypeSchema);
}

interface TypeSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly TypeSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function inWords({ type, enum: values, anyOf, minimum, maximum }: TypeSchema): string {
  if (anyOf !== undefined) return anyOf.map(inWords).join(" or ");
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "number") return "a number above 0";
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  if (type === "object") return "a table of texts";
  return type === "array" ? "a list of texts" : "a text";
}
