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
  const columns = placeColumns(header.cells, known);
  if (typeof columns === "string") return columns;
  return { header, delimiter, rows: lines.slice(at + 1).map(toRow), columns };
}

/** Where each column is. An older name counts where there is no column of the first one: `ID | Task` has one ID. */
function placeColumns(cells: readonly Cell[], known: Columns): Map<string, number> | string {
  const columns = new Map<string, number>();
  const named = cells.map(({ raw }) => columnNamed(raw, known));
  const first = new Set(named.flatMap((each) => (each?.first ? [each.name] : [])));
  for (const [i, each] of named.entries()) {
    if (each === null || (!each.first && first.has(each.name))) continue;
    if (columns.has(each.name)) return `its table has the column ${cells[i]?.raw.trim()} twice`;
    columns.set(each.name, i);
  }
  return columns;
}

const toRow = (line: Line): Row => ({ ...line, cells: splitRow(line.text, line.start) });

function columnNamed(raw: string, known: Columns): { readonly name: string; readonly first: boolean } | null {
  const text = raw.trim().toLowerCase().replaceAll(/[*`_]/g, "").replaceAll(/\s+/g, " ");
  for (const [name, aliases] of Object.entries(known)) {
    const at = aliases.findIndex((alias) => alias.toLowerCase() === text);
    if (at >= 0) return { name, first: at === 0 };
  }
  return null;
}

function tooLong({ header, rows }: Table): string | null {
  const long = rows.findIndex(({ cells }) => cells.length > header.cells.length);
  const most = header.cells.length;
  return long < 0 ? null : `row ${long + 1} has ${rows[long]?.cells.length} cells where the header has ${most}`;
}
