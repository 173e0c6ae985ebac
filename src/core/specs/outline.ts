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
} from "../text/markdown-lines.ts";

export type OutlineItem =
  | { readonly kind: "heading"; readonly depth: number; readonly text: string; readonly line: number }
  | { readonly kind: "task"; readonly done: boolean; readonly text: string; readonly line: number };

/**
 * Headings and check boxes of a document, in order. What stands in code, HTML or a quote is neither. One look at each
 * line; outline.test.ts holds it against micromark, which needs minutes for some files of 1 MB.
 */
export function readOutline(text: string): OutlineItem[] {
  const reader = new Reader();
  for (const [i, line] of text.split("\n").entries())
    reader.read(line.endsWith("\r") ? line.slice(0, -1) : line, i + 1);
  return reader.found;
}

/** A list deeper than this is text: nobody writes one, and each line is compared with all the items it may be in. */
const DEEPEST = 32;

class Reader {
  readonly found: OutlineItem[] = [];
  /** How far a line must be indented to belong to each of the list items we are in, the outermost first. */
  private items: number[] = [];
  /** The paragraph a plain line would go on with: where it began, or one that cannot become a heading. */
  private paragraph: { readonly text: string; readonly line: number } | "quoted" | null = null;
  /** What ends the verbatim lines we are in, and in how many list items they are. */
  private verbatim: { readonly until: Until; readonly depth: number } | null = null;
  /** The innermost item has nothing but its mark so far: a blank line ends it. */
  private bare = false;

  read(line: string, number: number): void {
    const words = line.trimStart();
    const indent = indentOf(line);
    const depth = words === "" ? this.items.length : this.items.filter((offset) => indent >= offset).length;
    if (this.verbatim !== null && depth >= this.verbatim.depth) {
      const ends = this.verbatim.until(" ".repeat(Math.max(0, indent - this.offset(this.verbatim.depth))) + words);
      if (ends !== "not") this.verbatim = null;
      if (ends !== "before") return;
    }
    this.verbatim = null;
    if (words === "") this.blank();
    else this.block({ words, indent, depth, number });
  }

  private blank(): void {
    this.paragraph = null;
    if (this.bare) this.items.pop();
    this.bare = false;
  }

  /** A line, or what follows the mark of an item on it. */
  private block({ words, indent, depth, number }: Part): void {
    const goesOn = this.paragraph !== null;
    const within = depth === this.items.length;
    this.bare = false;
    if (indent - this.offset(depth) >= 4) {
      if (!goesOn) this.leave(depth);
      return;
    }
    const heading = readHeading(words);
    if (heading !== null) {
      this.leave(depth);
      this.found.push({ kind: "heading", ...heading, line: number });
      return;
    }
    if (within && this.underlines(words)) return;
    const until = opensVerbatim(words, goesOn);
    if (until !== null) {
      this.leave(depth);
      if (!words.startsWith("<") || until(words) !== "after") this.verbatim = { until, depth };
      return;
    }
    if (isRule(words)) return this.leave(depth);
    if (this.opensItem({ words, indent, depth, number }, within && goesOn && this.paragraph !== "quoted")) return;
    if (words.startsWith(">")) {
      this.leave(depth);
      if (mayGoOn(words.replace(/^[> \t]+/, ""))) this.paragraph = "quoted";
      return;
    }
    if (goesOn) return;
    this.leave(depth);
    this.paragraph = { text: words.trimEnd(), line: number };
  }

  /** A line of `=` or `-` makes a heading of the paragraph above it. */
  private underlines(words: string): boolean {
    const { paragraph } = this;
    if (paragraph === null || paragraph === "quoted" || !/^(=+|-+)[ \t]*$/.test(words)) return false;
    this.paragraph = null;
    this.found.push({ kind: "heading", depth: words.startsWith("=") ? 1 : 2, ...paragraph });
    return true;
  }

  private opensItem({ words, indent, depth, number }: Part, interrupting: boolean): boolean {
    const marker = readMarker(words);
    if (marker === null || depth === DEEPEST || (interrupting && !mayInterrupt(marker))) return false;
    this.leave(depth);
    const offset = indent + contentOffset(marker);
    this.items.push(offset);
    const { mark, space, rest } = marker;
    if (rest === "") this.bare = true;
    else {
      const [, box, text] = /^\[([ \txX])\][ \t]+(\S.*)$/s.exec(rest) ?? [];
      if (box !== undefined && text !== undefined)
        this.found.push({ kind: "task", done: /x/i.test(box), text: text.trimEnd(), line: number });
      const column = indent + indentOf(" ".repeat(mark.length) + space);
      this.block({ words: rest, indent: column, depth: this.items.length, number });
    }
    return true;
  }

  /** What is open in deeper items is over. */
  private leave(depth: number): void {
    this.items.length = depth;
    this.paragraph = null;
  }

  private offset(depth: number): number {
    return this.items[depth - 1] ?? 0;
  }
}

interface Part {
  readonly words: string;
  readonly indent: number;
  /** In how many of the open list items it is. */
  readonly depth: number;
  readonly number: number;
}
