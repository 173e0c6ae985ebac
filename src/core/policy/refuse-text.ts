import { ask, type Judgement } from "./decision.ts";

/** More than any command that a person would read. */
const MOST_CHARACTERS = 64 * 1024;
/** What a parser needs most time for; real commands have a few. */
const MOST_NESTED = 100;
const MOST_BRACES = 2_000;
const MOST_HERE_DOCUMENTS = 50;

/** Text that is not judged any further: too long, too deep, or with something in it that a person cannot see. */
export function refuseText(command: string): Judgement | null {
  if (command.length > MOST_CHARACTERS) return ask("input.long", "The command is longer than 64 kB.");
  if (command.trim() === "") return ask("input.empty", "There is no command.");
  if (command.includes("\0")) return ask("input.nul", "The command holds a NUL character.");
  if (HIDDEN.test(command))
    return ask("input.hidden", "The command holds characters that a person cannot see, or that change what they see.");
  if (command.endsWith("\\"))
    return ask("input.cut", "The command ends with a backslash, which shells read in different ways.");
  if (isDeep(command)) return ask("input.deep", "The command is nested too deeply to be judged.");
  return null;
}

/** Control characters but tab and newline, spaces that are none to a shell, marks of direction, tags, half characters. */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180e]",
    "[\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\uffff]",
    "[\\u{e0000}-\\u{e0fff}\\ud800-\\udfff]",
  ].join("|"),
  "u",
);

/** Counted without a look at quotes: a bound on the work, not a reading of the command. */
function isDeep(command: string): boolean {
  let depth = 0;
  let braces = 0;
  let documents = 0;
  for (let i = 0; i < command.length; i++) {
    const char = command[i];
    if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth = Math.max(0, depth - 1);
    else if (char === "<" && command[i + 1] === "<") documents++;
    if (char === "{") braces++;
    if (depth > MOST_NESTED || braces > MOST_BRACES || documents > MOST_HERE_DOCUMENTS) return true;
  }
  return false;
}
