/**
 * What one line of markdown is, by itself: for readers that look at each line once. micromark takes 2.6 s for 60 KB of
 * headings, and repositories are not trusted to hold less.
 */

/** One to six hashes with a title behind them, from which hashes at its end are left out. */
export function readHeading(text: string): { readonly depth: number; readonly text: string } | null {
  const marks = /^#{1,6}(?![^ \t])/.exec(text)?.[0];
  if (marks === undefined || text.includes("\r")) return null;
  const words = text.slice(marks.length).trimEnd();
  let end = words.length;
  while (words[end - 1] === "#") end--;
  const closed = end < words.length && (end === 0 || words[end - 1] === " " || words[end - 1] === "\t");
  return { depth: marks.length, text: (closed ? words.slice(0, end) : words).trim() };
}

export function indentOf(text: string): number {
  let columns = 0;
  for (const char of text) {
    if (char === " ") columns++;
    else if (char === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The mark of a list item, the blanks behind it, and what follows them. */
export interface Marker {
  readonly mark: string;
  readonly space: string;
  readonly rest: string;
}

export function readMarker(text: string): Marker | null {
  const [, mark, space = "", rest = ""] = /^([-+*]|\d{1,9}[.)])([ \t]+|$)(.*)$/s.exec(text) ?? [];
  return mark === undefined ? null : { mark, space, rest };
}

/** Where the text of a list item begins, counted from its mark. */
export function contentOffset({ mark, space, rest }: Marker): number {
  const wide = indentOf(" ".repeat(mark.length) + space) - mark.length;
  return mark.length + (rest === "" || wide > 4 ? 1 : wide);
}

/** An empty item, or a number other than 1, does not end a paragraph. */
export const mayInterrupt = ({ mark, rest }: Marker): boolean =>
  rest !== "" && (/^[-+*]$/.test(mark) || /^1[.)]$/.test(mark));

export const isRule = (text: string): boolean => /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(text);

/** Whether a paragraph is open after this text of a container, so that a plain line below goes on with it. */
export const mayGoOn = (text: string): boolean =>
  text !== "" && !/^(#{1,6}([ \t]|$)|```|~~~)/.test(text) && !isRule(text);

/** What ends a block of verbatim lines: this line is inside of it, its last one, or behind it. */
export type Until = (line: string) => "not" | "after" | "before";

/** What lies verbatim from here on: fenced code, or HTML. */
export function opensVerbatim(text: string, interrupting: boolean): Until | null {
  const [, fence] = /^(`{3,})[^`]*$/.exec(text) ?? /^(~{3,})/.exec(text) ?? [];
  if (fence !== undefined) {
    return (line) => (closesFence(line, fence) ? "after" : "not");
  }
  const [, ends] = HTML.find(([begins]) => begins.test(text)) ?? [];
  if (ends !== undefined) return (line) => (ends.test(line) ? "after" : "not");
  if (HTML_BLOCK.test(text) || (!interrupting && HTML_TAG.test(text)))
    return (line) => (/^[ \t]*$/.test(line) ? "before" : "not");
  return null;
}

/** A line of the same marks, as many or more. */
function closesFence(line: string, fence: string): boolean {
  const marks = line.replace(/^ {0,3}/, "").trimEnd();
  return marks.startsWith(fence) && marks === fence.charAt(0).repeat(marks.length);
}

const HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];

const HTML_BLOCK =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s>]|\/>|$)/i;
const HTML_TAG =
  /^(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>)[ \t]*$/;
