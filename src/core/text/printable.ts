/** Control characters of hostile names and outputs must not reach a terminal. Line ends and tabs stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}

/** A text that may be typed into a terminal: nothing in it is a key, or ends the paste it is in. Lines end with LF. */
export const typeable = (text: string): string => printable(text.replaceAll(/\r\n?/g, "\n"));

/** A text on one line, nothing of it hidden: what follows a line end is seen to follow it. */
export const onOneLine = (text: string): string =>
  printable(text.replaceAll(/\r?\n|\t/g, (end) => (end === "\t" ? " " : " ⏎ ")));

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** The last guard before a terminal: our own colours pass, every other control character does not. */
export const forTerminal = (text: string): string =>
  text
    .split(COLOUR)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join("");

/** JSON that is the same to a program and harmless on a terminal: what JSON need not escape is escaped as well. */
export const toJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
