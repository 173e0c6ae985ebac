import { columns } from "./page.ts";

/** A text as a screen shows it, put together again, and whether that is surely all of it, as it was. */
export interface Passage {
  readonly text: string;
  readonly complete: boolean;
}

/**
 * Joins the rows of a text that a program has wrapped at `width` columns or a little before. A row that the next word
 * would have fitted into ended in a real line end. Where it would not have, it may have been either, and a line end is
 * a new command to a shell where a blank is not: the text is joined as if wrapped, and is not complete.
 */
export function joinRows(rows: readonly string[], width: number): Passage {
  let text = rows[0] ?? "";
  let complete = rows.every(isPlain) && (rows.length === 1 || rows.every((row) => /^[\u0020-\u007e]*$/.test(row)));
  for (let i = 1; i < rows.length; i++) {
    const before = rows[i - 1] ?? "";
    const row = rows[i] ?? "";
    if (fits(before, row, width)) text += `\n${row}`;
    else {
      complete = false;
      text += columns(before) >= width ? row : ` ${row}`;
    }
  }
  return { text, complete: complete && text.trim() !== "" };
}

/** The widest margin by which a program was seen to break a line early. */
const MARGIN = 8;

function fits(before: string, row: string, width: number): boolean {
  const word = /^\s*\S*/.exec(row)?.[0] ?? "";
  return columns(before) + 1 + columns(word) <= width - MARGIN;
}

/**
 * Nothing is left out that we would see, and nothing is there that we would not see: an ellipsis, characters that take
 * no place or look like a blank, a backslash that may have had a blank behind it (a trailing one is lost on a screen,
 * and with it whether the line goes on).
 */
const isPlain = (row: string): boolean => !/…|\\$|[^\S\u0020]|[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u.test(row);
