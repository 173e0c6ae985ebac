import { isMap, isNode, isScalar, parseDocument } from "yaml";

/** Where the frontmatter's keys stand in the file. */
export interface FrontLayout {
  /** Before the closing `---`. */
  readonly end: number;
  readonly keys: ReadonlyMap<string, KeyPlace>;
}

interface KeyPlace {
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface Front {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly layout: FrontLayout;
  /** Where the document begins below it. */
  readonly body: number;
}

const MOST_FRONT = 64 * 1024;

/** The YAML between two `---` lines at the top, with where each key stands; a sentence where it cannot be used. */
export function readFront(text: string): Front | string {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return "it has no frontmatter between two lines of ---";
  const start = opening[0].length;
  const closing = /^---[ \t]*\r?$/m.exec(text.slice(start, start + MOST_FRONT));
  if (closing === null) return "its frontmatter is not closed by a line of ---";
  const end = start + closing.index;
  const document = parseDocument(text.slice(start, end), { uniqueKeys: true });
  const [problem] = document.errors;
  if (problem !== undefined) return `its frontmatter is not YAML: ${problem.message.split("\n")[0]}`;
  if (!isMap(document.contents) || document.contents.flow) return "its frontmatter is not a list of keys, one per line";
  const keys = new Map<string, KeyPlace>();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !key.range) continue;
    const [from, to] = isNode(value) && value.range ? value.range : ([key.range[1] + 1, key.range[1] + 1] as const);
    const [valueStart, valueEnd] = [start + from, start + to];
    keys.set(String(key.value), {
      lineStart: text.lastIndexOf("\n", start + key.range[0] - 1) + 1,
      lineEnd: lineEndAfter(text, Math.max(valueEnd - 1, start + key.range[1])),
      valueStart,
      valueEnd,
    });
  }
  const after = text.indexOf("\n", end);
  return { fields: plain(document), layout: { end, keys }, body: after < 0 ? text.length : after + 1 };
}

function plain(document: { toJS(options: { maxAliasCount: number }): unknown }): Readonly<Record<string, unknown>> {
  try {
    return document.toJS({ maxAliasCount: 10 }) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function lineEndAfter(text: string, offset: number): number {
  const lf = text.indexOf("\n", offset);
  return lf < 0 ? text.length : lf + 1;
}
