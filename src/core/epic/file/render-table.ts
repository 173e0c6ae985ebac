import { writeCell } from "./cells.ts";
import type { Splice } from "./splice.ts";
import type { Row, Table } from "./table.ts";

/** What the rows of a table are to say, by row of the file; null for rows it does not have yet. */
export interface TableChange<Column extends string> {
  readonly names: Readonly<Record<Column, readonly string[]>>;
  /** The columns of a new table. */
  readonly fresh: readonly Column[];
  readonly before: ReadonlyMap<number | null, Readonly<Record<Column, string>>>;
  readonly after: readonly { readonly row: number | null; readonly cells: Readonly<Record<Column, string>> }[];
}

/** Cells that differ, rows that are new or gone, and columns for which there was no need so far. */
export function tableSplices<Column extends string>(table: Table, change: TableChange<Column>, eol: string): Splice[] {
  const missing = missingColumns(table, change);
  const kept = new Map(change.after.flatMap(({ row, cells }) => (row === null ? [] : [[row, cells] as const])));
  const splices: Splice[] = [];
  for (const line of [table.header, table.delimiter]) {
    const cells = missing.map((name) => (line === table.header ? (change.names[name][0] ?? name) : "---"));
    splices.push(...appendCells(line, cells));
  }
  for (const [row, line] of table.rows.entries()) {
    const [was, now] = [change.before.get(row), kept.get(row)];
    if (was !== undefined && was === now && missing.length === 0) continue;
    if (was === undefined) {
      if (line.cells.length > 1)
        splices.push(
          ...appendCells(
            line,
            filling(
              table,
              line,
              missing.map(() => ""),
            ),
          ),
        );
    } else if (now === undefined)
      splices.push({ start: line.start, end: table.rows[row + 1]?.start ?? line.end, text: "" });
    else splices.push(...rowSplices(table, line, { was, now }, missing));
  }
  const last = table.rows.at(-1) ?? table.delimiter;
  const fresh = change.after.filter(({ row }) => row === null);
  const lines = fresh.map(({ cells }) => `${eol}${writeRow(table, cells, missing)}`);
  if (lines.length > 0) splices.push({ start: last.end, end: last.end, text: lines.join("") });
  return splices;
}

/** A table as a new section has it. */
export function newTable<Column extends string>({ names, fresh, after }: TableChange<Column>, eol: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rows = after.map(({ cells }) => line(fresh.map((name) => shown(cells[name]))));
  return [line(fresh.map((name) => names[name][0] ?? name)), `|${fresh.map(() => "---|").join("")}`, ...rows].join(eol);
}

/** Columns that have something to say now, and are not in the file. */
function missingColumns<Column extends string>(table: Table, { names, after }: TableChange<Column>): Column[] {
  return (Object.keys(names) as Column[]).filter(
    (name) =>
      !table.columns.has(name) &&
      name !== "number" &&
      after.some(({ cells }) => cells[name] !== "" && cells[name] !== "0"),
  );
}

function rowSplices<Column extends string>(
  table: Table,
  line: Row,
  { was, now }: { was: Readonly<Record<Column, string>>; now: Readonly<Record<Column, string>> },
  missing: readonly Column[],
): Splice[] {
  const splices: Splice[] = [];
  const tail = filling(
    table,
    line,
    missing.map((name) => now[name]),
  );
  for (const [name, at] of table.columns) {
    const [before, after] = [was[name as Column], now[name as Column]];
    if (before === after) continue;
    const cell = line.cells[at];
    if (cell !== undefined) splices.push({ start: cell.start, end: cell.end, text: ` ${shown(after)} ` });
    else tail[at - line.cells.length] = after;
  }
  return [...splices, ...appendCells(line, trimmed(tail, missing.length > 0).map(shown))];
}

/** Cells a short row lacks, then those of the new columns. */
const filling = (table: Table, line: Row, cells: readonly string[]): string[] =>
  cells.length === 0 && line.cells.length >= table.header.cells.length
    ? []
    : [...Array.from({ length: Math.max(0, table.header.cells.length - line.cells.length) }, () => ""), ...cells];

/** A short row stays short behind its last cell, unless a new column follows. */
function trimmed(cells: readonly string[], whole: boolean): readonly string[] {
  if (whole) return cells;
  const last = cells.findLastIndex((cell) => cell !== "");
  return cells.slice(0, last + 1);
}

/** Behind the row's last cell, with the outer bar if the row has one. */
function appendCells(line: Row, cells: readonly string[]): Splice[] {
  if (cells.length === 0) return [];
  const closed = /(^|[^\\])\|\s*$/.test(line.text);
  const at = line.start + line.text.trimEnd().length;
  return [
    {
      start: at,
      end: at,
      text: closed ? cells.map((cell) => ` ${cell} |`).join("") : cells.map((cell) => ` | ${cell}`).join(""),
    },
  ];
}

function writeRow<Column extends string>(
  table: Table,
  cells: Readonly<Record<Column, string>>,
  missing: readonly Column[],
): string {
  const named = new Map([...table.columns].map(([name, at]) => [at, cells[name as Column]]));
  const all = [...table.header.cells.map((_, at) => named.get(at) ?? null), ...missing.map((name) => cells[name])];
  return `| ${all.map((cell) => (cell === null ? "" : shown(cell))).join(" | ")} |`;
}

/** Nothing is a dash: an empty cell looks like one that was forgotten. */
const shown = (text: string): string => writeCell(text) || "—";
