/** One cell of a table's row: its text as written, and where it stands between its bars. */
export interface Cell {
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** The cells of a row. A bar after a backslash belongs to the text; the outer bars may be missing. */
export function splitRow(line: string, offset: number): Cell[] {
  const bars = line.includes("\\") ? bareBars(line) : allBars(line);
  const first = line.search(/\S/);
  const last = line.trimEnd().length - 1;
  const edges = [
    ...(bars[0] === first ? [] : [-1]),
    ...bars,
    ...(bars.at(-1) === last && bars.length > 1 ? [] : [line.length]),
  ];
  return edges.slice(0, -1).map((bar, i) => {
    const [start, end] = [bar + 1, edges[i + 1] ?? line.length];
    return { raw: line.slice(start, end), start: offset + start, end: offset + end };
  });
}

function allBars(line: string): number[] {
  const bars: number[] = [];
  for (let i = line.indexOf("|"); i >= 0; i = line.indexOf("|", i + 1)) bars.push(i);
  return bars;
}

function bareBars(line: string): number[] {
  const bars: number[] = [];
  for (let i = 0; i < line.length; i++) {
    if (line[i] === "\\") i++;
    else if (line[i] === "|") bars.push(i);
  }
  return bars;
}

/** What a cell says: a dash says nothing, `<br>` is a line end, a bar stands behind a backslash. */
export function readCell(raw: string): string {
  const text = raw.trim();
  if (text === "" || text === "—" || text === "–" || text === "-") return "";
  if (!/[\\<&]/.test(text)) return text;
  return text
    .replaceAll("\\|", "|")
    .replaceAll(/<br ?\/?>/gi, "\n")
    .replaceAll(/&(amp|lt|#92);/g, (_, name: string) => MEANS[name] ?? "");
}

const MEANS: Readonly<Record<string, string>> = { amp: "&", lt: "<", "#92": "\\" };

/** The same text as a cell: reading it gives back what was written, but for white space around it. */
export function writeCell(text: string): string {
  const safe = tidy(text)
    .replaceAll(/&(?=(?:amp|lt|#92);)/g, "&amp;")
    .replaceAll(/<(?=br ?\/?>)/gi, "&lt;")
    .replaceAll(/\\(?=\||$|\n)/g, "&#92;")
    .replaceAll("|", "\\|")
    .replaceAll("\n", "<br>");
  return /^[—–-]$/.test(safe) ? "" : safe;
}

/** Line ends as LF, nothing around it, nothing in it that a table or a terminal would choke on. */
export function tidy(text: string): string {
  return (
    text
      .replaceAll(/\r\n?/g, "\n")
      .replaceAll(/\t/g, " ")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
      .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g, "�")
      .trim()
  );
}
