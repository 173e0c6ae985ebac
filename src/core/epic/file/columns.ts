import type { Columns } from "./table.ts";

/** Columns of each table: the name we write first, then the names older files have. */
export const ITEM_COLUMNS = {
  number: ["#", "No", "Nr"],
  id: ["ID", "Task", "Item"],
  title: ["Title"],
  status: ["Status"],
  worker: ["Worker", "Assignee"],
  surface: ["Review surface", "PR", "Surface"],
  notes: ["Notes"],
  depends: ["Depends", "Depends on", "Deps"],
  attempts: ["Attempts"],
  lastActivity: ["Last activity"],
  pending: ["Pending"],
  project: ["Project"],
  tags: ["Tags"],
} as const satisfies Columns;
export type ItemColumn = keyof typeof ITEM_COLUMNS;

/** What a new table of work items has. */
export const NEW_ITEM_COLUMNS: readonly ItemColumn[] = [
  "number",
  "id",
  "title",
  "status",
  "worker",
  "surface",
  "notes",
  "depends",
  "attempts",
  "lastActivity",
  "pending",
];

export const MEMORY_COLUMNS = {
  at: ["Tick (ISO)", "Tick", "Time"],
  decision: ["Decision"],
  class: ["Class"],
  notes: ["Notes"],
} as const satisfies Columns;
export type MemoryColumn = keyof typeof MEMORY_COLUMNS;

export const DECISION_COLUMNS = {
  id: ["ID"],
  question: ["Question"],
  options: ["Options"],
  default: ["Default"],
  raised: ["Raised"],
  answer: ["Answer"],
} as const satisfies Columns;
export type DecisionColumn = keyof typeof DECISION_COLUMNS;
