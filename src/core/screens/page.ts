import { eastAsianWidth } from "get-east-asian-width";
/**
 * A captured screen as lines: without escapes and trailing blanks, and without the empty lines at its end. Where it was
 * captured with its colours (`capture-pane -e`), how each piece is drawn is kept beside the text.
 */
export interface Page {
  readonly lines: readonly string[];
  readonly strokes: readonly (readonly Stroke[])[];
  /** Whether anything is known of how it is drawn. */
  readonly styled: boolean;
}

/** A piece of a line, drawn in one manner. */
export interface Stroke {
  readonly from: number;
  readonly to: number;
  readonly faint: boolean;
  readonly bold: boolean;
  readonly inverse: boolean;
  /** The background, as the terminal was told; "" is its own. */
  readonly ground: string;
}

/** More than the largest screen needs with every cell in a colour of its own; what is above it has scrolled away. */
const MOST_CHARACTERS = 512 * 1024;
const MOST_LINES = 300;
/** No terminal is so wide; a line that was cut says so. */
const LONGEST_LINE = 4_000;

/** In one pass over the text. */
export function openPage(text: string): Page {
  const pen = new Pen();
  const lines: string[] = [];
  const strokes: (readonly Stroke[])[] = [];
  const tail = text.slice(-MOST_CHARACTERS).split("\n").slice(-MOST_LINES);
  for (const raw of tail) {
    const line = pen.draw(raw);
    lines.push(line.text);
    strokes.push(line.strokes);
  }
  while (lines.at(-1) === "") {
    lines.pop();
    strokes.pop();
  }
  return { lines, strokes, styled: pen.used };
}

/** Control sequences, strings such as titles and links, and the short ones; what never ends is taken as it stands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const ESCAPE = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]?[0-Z\\^-~])/g;

/** Draws line after line: what a sequence sets holds until another one changes it, over line ends as well. */
class Pen {
  used = false;
  private faint = false;
  private bold = false;
  private inverse = false;
  private ground = "";

  draw(raw: string): { text: string; strokes: readonly Stroke[] } {
    const strokes: Stroke[] = [];
    let text = "";
    let from = 0;
    const add = (piece: string) => {
      if (piece === "") return;
      const { faint, bold, inverse, ground } = this;
      strokes.push({ from: text.length, to: text.length + piece.length, faint, bold, inverse, ground });
      text += piece;
    };
    for (const found of raw.matchAll(ESCAPE)) {
      add(raw.slice(from, found.index));
      from = found.index + found[0].length;
      if (found[2] === "m") this.set(found[1] ?? "");
    }
    add(raw.slice(from));
    const whole = text.trimEnd();
    return { text: whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)}…` : whole, strokes };
  }

  private set(codes: string): void {
    this.used = true;
    const all = codes.split(";");
    for (let i = 0; i < all.length; i++) {
      const [code = "", ...sub] = (all[i] ?? "").split(":");
      if (code === "38" || code === "48" || code === "58") {
        const rest = sub.length > 0 ? sub : all.slice(i + 1, i + (all[i + 1] === "2" ? 5 : 3));
        if (sub.length === 0) i += rest.length;
        if (code === "48") this.ground = rest.join(";");
      } else this.one(Number(code));
    }
  }

  private one(code: number): void {
    if (code === 0) {
      this.faint = false;
      this.bold = false;
      this.inverse = false;
      this.ground = "";
    } else if (code === 1) this.bold = true;
    else if (code === 2) this.faint = true;
    else if (code === 7) this.inverse = true;
    else if (code === 22) {
      this.faint = false;
      this.bold = false;
    } else if (code === 27) this.inverse = false;
    else if (code === 49) this.ground = "";
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) this.ground = String(code);
  }
}

/** How a place on the page is drawn; null where nothing is. */
export const strokeAt = ({ strokes }: Page, line: number, at: number): Stroke | null =>
  strokes[line]?.find(({ from, to }) => from <= at && at < to) ?? null;

/**
 * Whether what stands from `at` on in a line is only a hint, drawn faintly; the cell under the cursor may be inverse.
 * Null where that cannot be told.
 */
export function isHint(page: Page, line: number, at: number): boolean | null {
  if (!page.styled) return null;
  const text = page.lines[line] ?? "";
  const shown = (page.strokes[line] ?? []).filter(
    ({ from, to }) => to > at && text.slice(Math.max(from, at), to).trim() !== "",
  );
  const cursor = ({ from, to, inverse }: Stroke) => inverse && to - from === 1;
  return shown.some(({ faint }) => faint) && shown.every((each) => each.faint || cursor(each));
}

/** How wide the screen is at least. */
export const widthOf = ({ lines }: Page): number => Math.max(0, ...lines.map(columns));

/** A full line of a horizontal stroke, from the left edge on. */
export const isRule = (line: string, stroke = "─"): boolean => line.length >= 10 && line === stroke.repeat(line.length);

/** How many columns a text takes on a terminal: two for what East Asian scripts and emoji need, none for what combines. */
export function columns(text: string): number {
  let count = 0;
  for (const char of text) count += takesNone(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
  return count;
}

/** Joins the character before it: a mark, a joiner, a selector. */
const takesNone = (char: string): boolean => char >= "\u0300" && /\p{Mark}|\u200d|\ufe0f/u.test(char);
