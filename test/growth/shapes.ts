/** Makes a hostile input of about this many characters. */
export type Shape = (size: number) => string;

/** A unit again and again, between a beginning that opens something and an end that keeps it from being closed. */
export const repeated =
  (unit: string, before = "", after = ""): Shape =>
  (size) =>
    before + unit.repeat(Math.max(0, Math.ceil((size - before.length - after.length) / unit.length))) + after;

/** Numbered units, all of them different: what is kept by name is kept for each. */
export const numbered =
  (unit: (i: number) => string, before = "", after = ""): Shape =>
  (size) => {
    const parts = [before];
    let length = before.length + after.length;
    for (let i = 0; length < size; i++) {
      const part = unit(i);
      parts.push(part);
      length += part.length;
    }
    return [...parts, after].join("");
  };

/**
 * Units that open, close or separate something in at least one of the languages we read. Every parser gets every one of
 * them, alone and behind each of its own beginnings.
 */
export const UNITS: readonly string[] = [
  ..."a0 \n\t\r`#|-=<>*_[]{}()\"'\\:./,;~%&$!?@+\0\u001b\u2028─│┃é",
  ...("😀".match(/./gu) ?? []),
  ..."\n  |a |\r\n|\ra|a\r|a\n| \n|a | a|# |#\n|- |-\n|* |> |>\n|| |[ |](|[[|]]|a.|a/|../|**|*a|{a,|{{|}}|${|<!--|-->|</a>|<a |<br>".split(
    "|",
  ),
  ...'```\n|~~~\n|---\n|a: b\n|a:\n |\'a\':|"a":|{"a":|[1,|\u001b[|\u001b]|\u001b[m|\u001b[1;2m|\u001b]8;;\u0007|\u001bP|0m|;1|a\u2028 '.split(
    "|",
  ),
  ...".lock|@{|%end 1 1 1\n|%begin 1 1 1\n|gitdir: a\n|- [ ] a\n|1. |1. a\n|   \n|\t|a\t|\\|\\|\\`|&amp;|skip |test |files owned:|Phase 1 ".split(
    "|",
  ),
  "| a | b |\n",
  "|---|\n",
  "- a\n  ",
  "a\n===\n",
  "─── x ───",
  "❯ 1. Yes\n",
  "or fix ",
].filter((unit, i, all) => unit !== "" && all.indexOf(unit) === i);
