/**
 * What a program that has ended said last, from the text of its pane. Its own frame (rules, an input box, a line that says
 * it is at work) stays on the screen when it dies, and says nothing of why; neither does tmux's word about the pane, nor
 * the calls below an error.
 */
export function lastWords(text: string): string {
  const lines = text.split("\n").map((line) => line.slice(0, LONGEST).replace(STATUS, ""));
  return lines.findLast((line) => !SILENT.some((silent) => silent.test(line)))?.trim() ?? "";
}

/** Of a longer line the beginning says enough, and what looks for its end must not look for long. */
const LONGEST = 1_000;

/** The line our own agent keeps at the end; what follows on it was printed by whatever killed it. */
const STATUS = /^\[(?:working\] esc to interrupt|ready\] >|permission\] press 1 or 2)/;

const SILENT: readonly RegExp[] = [
  /^\s*$/,
  /^Pane is dead/,
  /\besc to (?:interrupt|cancel)\b/i,
  /\? for shortcuts\b/,
  // Rules, corners and sides of boxes, with a prompt in them or nothing.
  /^[\s─━╌╍┄┈▔▁═│┃╭╮╰╯┌┐└┘╹╷▀▄█❯›>]+$/,
  // A stack trace, and what node prints below one.
  /^\s+at \S.*:\d+:\d+\)?(?: \{)?$/,
  /^Node\.js v\d/,
  /^[\s{}()[\],;]+$/,
];
