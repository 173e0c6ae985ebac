import { writeCell } from "./cells.ts";
import {
  DECISION_COLUMNS,
  type DecisionColumn,
  ITEM_COLUMNS,
  type ItemColumn,
  MEMORY_COLUMNS,
  type MemoryColumn,
  NEW_ITEM_COLUMNS,
} from "./columns.ts";
import type { Decision, Epic, Item, MemoryRow, Pending } from "./epic.ts";
import { spliceFront } from "./render-front.ts";
import { SectionWriter } from "./render-section.ts";
import type { TableChange } from "./render-table.ts";
import { type Splice, splice } from "./splice.ts";
import { writeStamp } from "./stamp.ts";

/** The file with what differs from it spliced in. Every other byte is the one that was read. */
export function renderEpic(epic: Epic): string {
  const { text, layout, state } = epic.origin;
  const writer = new SectionWriter(text, layout);
  const splices: Splice[] = [
    ...spliceFront(epic),
    ...(epic.items === state.items ? [] : writer.table("Work Items", itemsChange(epic.items, state.items))),
    ...writer.lines("Item Briefs", newBriefs(epic)),
    ...(epic.memory === state.memory ? [] : writer.table("Pattern Memory", memoryChange(epic.memory, state.memory))),
    ...writer.table("Pending Decisions", decisionsChange(epic.decisions, state.decisions)),
    ...writer.lines("Supervisor Log", epic.log.slice(state.log.length)),
  ];
  return splice(text, splices);
}

/** Most items of a long epic are as they were: those are not written out to be compared. */
function itemsChange(now: readonly Item[], was: readonly Item[]): TableChange<ItemColumn> {
  const same = new Set<Item>(now);
  const old = new Set<Item>(was);
  const before = new Map(was.map((item) => [item.row, same.has(item) ? UNCHANGED : itemCells(item)]));
  const after = now.map((item) => ({ row: item.row, cells: old.has(item) ? UNCHANGED : itemCells(item) }));
  return { names: ITEM_COLUMNS, fresh: NEW_ITEM_COLUMNS, before, after };
}

/** What an item says in columns the file does not have. */
const UNCHANGED = {
  ...(Object.fromEntries(Object.keys(ITEM_COLUMNS).map((name) => [name, ""])) as Record<ItemColumn, string>),
  attempts: "0",
};

function itemCells(item: Item): Record<ItemColumn, string> {
  return {
    number: item.number,
    id: item.id,
    title: item.title,
    status: item.status,
    worker: item.worker,
    surface: item.surface,
    notes: item.notes,
    depends: item.depends.join(", "),
    attempts: String(item.attempts),
    lastActivity: item.lastActivity === null ? "" : writeStamp(item.lastActivity),
    pending: pendingCell(item.pending),
    project: item.project,
    tags: item.tags,
  };
}

const pendingCell = (pending: Pending): string =>
  pending === null ? "" : pending.for === "verify" ? "verify" : `react: ${pending.why}`;

function memoryChange(now: readonly MemoryRow[], was: readonly MemoryRow[]): TableChange<MemoryColumn> {
  const cells = (row: MemoryRow) => ({
    at: row.at === null ? "" : writeStamp(row.at),
    decision: row.decision,
    class: row.class,
    notes: row.notes,
  });
  return {
    names: MEMORY_COLUMNS,
    fresh: ["at", "decision", "class", "notes"],
    before: new Map(was.map((row) => [row.row, cells(row)])),
    after: now.map((row) => ({ row: row.row, cells: cells(row) })),
  };
}

function decisionsChange(now: readonly Decision[], was: readonly Decision[]): TableChange<DecisionColumn> {
  const cells = (decision: Decision) => ({
    id: decision.id,
    question: decision.question,
    options: decision.options,
    default: decision.default,
    raised: decision.raised === null ? "" : writeStamp(decision.raised),
    answer: decision.answer,
  });
  return {
    names: DECISION_COLUMNS,
    fresh: ["id", "question", "options", "default", "raised", "answer"],
    before: new Map(was.map((each) => [each.row, cells(each)])),
    after: now.map((each) => ({ row: each.row, cells: cells(each) })),
  };
}

/**
 * Quoted line by line: nothing a role wrote can be a heading or a table of ours. The colon keeps an item called Work with
 * the title Items, or Rollback with the title Plan, from being that section.
 */
function newBriefs({ briefs, origin, items }: Epic): string[] {
  return items.flatMap(({ id, title }) => {
    const text = briefs.get(id);
    if (text === undefined || origin.state.briefs.has(id)) return [];
    return [
      "",
      `### ${id}: ${writeCell(title).replaceAll("<br>", " ")}`.replace(/: *$/, ""),
      "",
      ...text.split("\n").map((line) => `> ${line}`.trimEnd()),
    ];
  });
}
