import { readCell } from "./cells.ts";
import { type Decision, type Item, isId, type MemoryRow, type Pending } from "./epic.ts";
import { readStamp } from "./stamp.ts";
import type { Row, Table } from "./table.ts";

/** The work items of a table; a sentence where two have one name, or one has none that can be used. */
export function readItems(table: Table | null): Item[] | string {
  const items: Item[] = [];
  const seen = new Set<string>();
  for (const [row, line] of (table?.rows ?? []).entries()) {
    const cell = cellOf(table, line);
    const id = cell("id").replaceAll("`", "").trim();
    if (id === "") continue;
    if (!isId(id))
      return `row ${row + 1} of its work items has an ID that cannot be one: ${JSON.stringify(id.slice(0, 60))}`;
    if (seen.has(id)) return `two of its work items are called ${id}`;
    seen.add(id);
    items.push({
      id,
      number: cell("number"),
      title: cell("title"),
      status: cell("status"),
      worker: cell("worker"),
      surface: cell("surface"),
      notes: cell("notes"),
      depends: readNames(cell("depends")),
      attempts: readCount(cell("attempts")),
      lastActivity: readStamp(cell("lastActivity")),
      pending: readPending(cell("pending")),
      project: cell("project"),
      tags: cell("tags"),
      row,
    });
  }
  return items;
}

export function readMemory(table: Table | null): MemoryRow[] {
  return (table?.rows ?? []).flatMap((line, row) => {
    const cell = cellOf(table, line);
    if (cell("class") === "") return [];
    return [{ at: readStamp(cell("at")), decision: cell("decision"), class: cell("class"), notes: cell("notes"), row }];
  });
}

export function readDecisions(table: Table | null): Decision[] {
  return (table?.rows ?? []).flatMap((line, row) => {
    const cell = cellOf(table, line);
    if (cell("id") === "") return [];
    return [
      {
        id: cell("id"),
        question: cell("question"),
        options: cell("options"),
        default: cell("default"),
        raised: readStamp(cell("raised")),
        answer: cell("answer"),
        row,
      },
    ];
  });
}

/** What a row says in a column; nothing where the row is short or the table has no such column. */
const cellOf =
  (table: Table | null, line: Row) =>
  (column: string): string =>
    readCell(line.cells[table?.columns.get(column) ?? -1]?.raw ?? "");

const readNames = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((name) => name.replaceAll("`", ""))
    .filter((name) => name !== "" && !/^[—–-]$/.test(name));

const readCount = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : 0);

function readPending(text: string): Pending {
  if (/^verify$/i.test(text)) return { for: "verify" };
  const [, why] = /^react:?\s*([\s\S]*)$/i.exec(text) ?? [];
  return why === undefined ? null : { for: "react", why };
}
