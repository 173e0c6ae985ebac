export const CELLS = [
  "writes and commits",
  "permission allowed",
  "permission denied",
  "cancel mid-turn",
  "resume continues",
  "usage recorded",
] as const;

export interface Row {
  readonly cli: string;
  readonly channel: string;
  readonly cells: Map<(typeof CELLS)[number], string>;
}

/** What was seen in this run: ✔, or that the CLI cannot and why; ✘ where it failed; a blank where it was not tried. */
export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(({ cli, channel, cells }) => [cli, channel, ...CELLS.map((name) => cells.get(name) ?? "")]);
  const table = [["cli", "channel", ...CELLS], ...lines];
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((line) => (line[at] ?? "").length)));
  const text = table.map((line) => line.map((each, at) => each.padEnd(widths[at] ?? 0)).join(" | ")).join("\n");
  process.stdout.write(`\n${text}\n`);
}
