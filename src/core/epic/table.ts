import { type Block, delimiterAt, type Line } from "./blocks.ts";
import { type Cell, splitRow } from "./cells.ts";

/** A table with known columns, as offsets in the file. */
export interface Table {
  readonly header: Row;
  readonly delimiter: Row;
  readonly rows: readonly Row[];
  /** Which cell of a row holds a column. */
  readonly columns: ReadonlyMap<string, number>;
}

export interface Row extends Line {
  readonly cells: readonly Cell[];
}

/** Column by its name in the file: lower case, letters only. */
export type Columns = Readonly<Record<string, readonly string[]>>;

/** The table among a section's blocks that has the needed columns. A sentence where that cannot be told. */
export function findTable(blocks: readonly Block[], known: Columns, needed: readonly string[]): Table | null | string {
  const found: Table[] = [];
  let other = false;
  for (const block of blocks) {
    if (block.kind !== "lines") continue;
    const table = readTable(block.lines, known);
    if (typeof table === "string") return table;
    if (table !== null && needed.every((name) => table.columns.has(name))) found.push(table);
    else if (table !== null) other = true;
  }
  if (found.length > 1) return "there are two tables in it";
  if (found.length === 0 && other)
    return `its table has no column ${needed.map((name) => known[name]?.[0]).join(" and ")}`;
  const [table = null] = found;
  return table === null ? null : (tooLong(table) ?? table);
}

function readTable(lines: readonly Line[], known: Columns): Table | null | string {
  const at = delimiterAt(lines);
  const [head, rule] = [lines[at - 1], lines[at]];
  if (head === undefined || rule === undefined) return null;
  const [header, delimiter] = [toRow(head), toRow(rule)];
  if (header.cells.length !== delimiter.cells.length) return null;
  const columns = new Map<string, number>();
  for (const [i, { raw }] of header.cells.entries()) {
    const name = columnNamed(raw, known);
    if (name === null) continue;
    if (columns.has(name)) return `its table has the column ${raw.trim()} twice`;
    columns.set(name, i);
  }
  return { header, delimiter, rows: lines.slice(at + 1).map(toRow), columns };
}

const toRow = (line: Line): Row => ({ ...line, cells: splitRow(line.text, line.start) });

function columnNamed(raw: string, known: Columns): string | null {
  const text = raw.trim().toLowerCase().replaceAll(/[*`_]/g, "").replaceAll(/\s+/g, " ");
  return Object.keys(known).find((name) => known[name]?.some((alias) => alias.toLowerCase() === text)) ?? null;
}

function tooLong({ header, rows }: Table): string | null {
  const long = rows.findIndex(({ cells }) => cells.length > header.cells.length);
  const most = header.cells.length;
  return long < 0 ? null : `row ${long + 1} has ${rows[long]?.cells.length} cells where the header has ${most}`;
}
