/**
 * A terminal's output without its escape sequences, in one pass: CSI, OSC and the other strings, single characters. A
 * sequence that never ends takes at most as much as one can reasonably have.
 */
export function stripEscapes(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf(ESC); at >= 0; at = text.indexOf(ESC, from)) {
    kept.push(text.slice(from, at));
    from = endOf(text, at);
  }
  kept.push(text.slice(from));
  return kept.join("").split("\n").map(afterReturn).join("\n");
}

/** What a line shows in the end: after a carriage return it is written over. Returns at its end belong to the line end. */
function afterReturn(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

const ESC = "\u001b";
const LONGEST = 4_096;

function endOf(text: string, at: number): number {
  const kind = text[at + 1] ?? "";
  if (kind === "[") return afterFirst(text, at + 2, (code) => code >= 0x40 && code <= 0x7e);
  if ("]PX^_".includes(kind) && kind !== "") return afterString(text, at + 2);
  return at + ("()*+-./#% ".includes(kind) && kind !== "" ? 3 : 2);
}

function afterFirst(text: string, from: number, ends: (code: number) => boolean): number {
  const most = Math.min(text.length, from + LONGEST);
  for (let i = from; i < most; i++) if (ends(text.charCodeAt(i))) return i + 1;
  return most;
}

/** Ended by BEL, or by ESC and a backslash. */
function afterString(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST);
  for (let i = from; i < most; i++) {
    if (text[i] === "\u0007") return i + 1;
    if (text[i] === ESC) return i + (text[i + 1] === "\\" ? 2 : 0);
  }
  return most;
}
