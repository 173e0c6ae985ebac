import {
  contentOffset,
  indentOf,
  isRule,
  mayGoOn,
  mayInterrupt,
  opensVerbatim,
  readHeading,
  readMarker,
  type Until,
} from "../../text/markdown-lines.ts";

/** A heading or a run of plain lines that lies at the top level of a document. */
export type Block =
  | {
      readonly kind: "heading";
      readonly depth: number;
      readonly text: string;
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: "lines"; readonly lines: readonly Line[] };

export interface Line {
  readonly text: string;
  readonly start: number;
  /** Before the line's end mark. */
  readonly end: number;
}

/**
 * Headings and paragraphs at the top level of a markdown document, in order: what stands in fences, comments, HTML,
 * quotes, lists and indented code is none. One look at each line: micromark takes 2.6 s for 60 KB of headings and the
 * table extension 0.4 s for 500 rows, and a tick has 0.1 s. blocks.test.ts holds it against micromark.
 */
export function readBlocks(text: string, from: number): Block[] {
  const reader = new Reader();
  for (const line of linesOf(text, from)) reader.read(line);
  reader.endParagraph();
  return reader.blocks;
}

export function* linesOf(text: string, from: number): Generator<Line> {
  let start = from;
  while (start < text.length) {
    const lf = text.indexOf("\n", start);
    const stop = lf < 0 ? text.length : lf;
    const end = text[stop - 1] === "\r" && stop > start && lf >= 0 ? stop - 1 : stop;
    yield { text: text.slice(start, end), start, end };
    start = lf < 0 ? text.length : lf + 1;
  }
}

class Reader {
  readonly blocks: Block[] = [];
  private paragraph: Line[] = [];
  /** What ends the block of verbatim lines we are in. */
  private until: Until | null = null;
  /** How far a line must be indented to belong to the list item we are in; 0 outside of lists. */
  private item = 0;
  /** Whether a plain line would go on the paragraph of a list item or a quote. */
  private lazy = false;
  /** The fence that is open inside of it. */
  private inner: string | null = null;
  private quoted = false;
  /** An item of which only the mark was seen: a blank line ends it. */
  private bare = false;

  read(line: Line): void {
    if (this.until !== null) {
      const ends = this.until(line.text);
      if (ends !== "not") this.until = null;
      if (ends !== "before") return;
    }
    if (/^[ \t]*$/.test(line.text)) return this.blank();
    const indent = indentOf(line.text);
    if (this.item > 0 && indent >= this.item) {
      return this.inside(line.text);
    }
    if (indent >= 4) {
      if (this.paragraph.length > 0) this.paragraph.push(line);
      return;
    }
    this.top(line, line.text.trimStart(), indent);
  }

  private top(line: Line, text: string, indent: number): void {
    if (text.startsWith("|") && this.paragraph.length > 0 && !this.lazy) {
      this.paragraph.push(line);
      return;
    }
    const heading = readHeading(text);
    if (heading !== null) {
      this.close();
      this.blocks.push({ kind: "heading", ...heading, start: line.start, end: line.end });
      return;
    }
    if (this.underlines(line, text)) return;
    const verbatim = opensVerbatim(text, this.paragraph.length > 0 || this.lazy);
    if (verbatim !== null) {
      this.close();
      this.until = text.startsWith("<") && verbatim(text) === "after" ? null : verbatim;
      return;
    }
    if (isRule(text)) return this.close();
    const marker = readMarker(text);
    if (marker !== null && !(this.paragraph.length > 0 && !mayInterrupt(marker))) {
      this.close();
      this.item = indent + contentOffset(marker);
      this.inside(marker.rest);
      this.bare = marker.rest === "";
      return;
    }
    if (text.startsWith(">")) {
      const { inner } = this;
      this.close();
      this.inner = this.quoted ? inner : null;
      this.quoted = true;
      return this.inside(text);
    }
    if (this.lazy) return;
    if (this.paragraph.length === 0) this.close();
    this.paragraph.push(line);
  }

  /** A line of `=` or `-` makes a heading of the paragraph above it; below a table it is a rule. */
  private underlines(line: Line, text: string): boolean {
    const [first] = this.paragraph;
    if (first === undefined || !/^(=+|-+)[ \t]*$/.test(text) || delimiterAt(this.paragraph) >= 0) return false;
    const words = this.paragraph.map((each) => each.text.trim()).join(" ");
    this.paragraph = [];
    const depth = text.startsWith("=") ? 1 : 2;
    this.blocks.push({ kind: "heading", depth, text: words, start: first.start, end: line.end });
    return true;
  }

  /** A line of a list item or a quote, with the marks of deeper ones in front of it. */
  private inside(text: string): void {
    this.bare = false;
    const words = text.replace(/^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))*[ \t]*/, "");
    const fence = /^(`{3,}|~{3,})(.*)$/s.exec(words);
    if (this.inner === null) this.inner = fence !== null && !(fence[2] ?? "").includes("`") ? (fence[1] ?? null) : null;
    else if (fence !== null && (fence[2] ?? "").trim() === "" && (fence[1] ?? "").startsWith(this.inner))
      this.inner = null;
    this.lazy = this.inner === null && fence === null && mayGoOn(words);
  }

  private blank(): void {
    this.endParagraph();
    this.lazy = false;
    this.quoted = false;
    if (this.bare) this.item = 0;
  }

  private close(): void {
    this.endParagraph();
    this.item = 0;
    this.lazy = false;
    this.inner = null;
    this.quoted = false;
    this.bare = false;
  }

  endParagraph(): void {
    if (this.paragraph.length > 0) this.blocks.push({ kind: "lines", lines: this.paragraph });
    this.paragraph = [];
  }
}

/** The line below which a table begins: the one with a header above it; -1 where there is none. */
export function delimiterAt(lines: readonly Line[]): number {
  return lines.findIndex(
    (line, i) => i > 0 && /\|/.test(line.text) && /^[\s|:-]+$/.test(line.text) && /-/.test(line.text),
  );
}
