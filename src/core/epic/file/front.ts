/** Where the frontmatter's keys stand in the file. */
export interface FrontLayout {
  /** Before the closing `---`. */
  readonly end: number;
  readonly keys: ReadonlyMap<string, KeyPlace>;
}

export interface KeyPlace {
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

export interface FrontBounds {
  readonly start: number;
  readonly end: number;
  readonly body: number;
}

const MOST_FRONT = 64 * 1024;

/** Where the text between two `---` lines at the top stands; a sentence where there is none. */
export function boundFront(text: string): FrontBounds | string {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return "it has no frontmatter between two lines of ---";
  const start = opening[0].length;
  const closing = /^---[ \t]*\r?$/m.exec(text.slice(start, start + MOST_FRONT));
  if (closing === null)
    return text.length - start > MOST_FRONT
      ? `its frontmatter is longer than ${MOST_FRONT / 1024} kB, or not closed by a line of ---`
      : "its frontmatter is not closed by a line of ---";
  const end = start + closing.index;
  const after = text.indexOf("\n", end);
  return { start, end, body: after < 0 ? text.length : after + 1 };
}
