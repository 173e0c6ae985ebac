import { isRule } from "./page.ts";
import type { ScreenOption } from "./screen.ts";

/** The choices at the end of a dialog, and where they begin. */
export interface Menu {
  readonly from: number;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly number: number;
  readonly text: string;
  /** The one that Enter would take, as far as the text shows it. */
  readonly marked: boolean;
}

const MARKS = "❯›●→>";
/** Arrows in the mark's place say that there are more choices than room. */
const NUMBERED = new RegExp(`^(\\s*)(?:([${MARKS}↑↓])(\\s*))?(\\d{1,2})\\. (.*)$`, "u");
const MARKED = new RegExp(`^(\\s*)[${MARKS}] (.*)$`, "u");

/**
 * Numbered choices that end just above line `end`: 1 to n without a gap, all numbers in one column, one of them marked.
 * What is indented further goes on with the choice above it. Null when it is anything else.
 */
export function numberedMenu(lines: readonly string[], end: number): Menu | null {
  const choices: Choice[] = [];
  let column = -1;
  let rest: string[] = [];
  for (let i = end - 1; i >= 0 && end - i < MOST_LINES; i--) {
    const line = lines[i] ?? "";
    const [, indent = "", mark = "", gap = "", number = "", text = ""] = NUMBERED.exec(line) ?? [];
    const at = indent.length + mark.length + gap.length;
    if (number !== "" && (column < 0 || at === column)) {
      if (rest.some((each) => each.slice(0, at + 1).trim() !== "")) return null;
      column = at;
      const words = [text, ...rest].map((each) => each.trim()).join(" ");
      choices.unshift({ number: Number(number), text: words, marked: mark !== "" && MARKS.includes(mark) });
      rest = [];
      if (number === "1") return isWhole(choices) ? { from: i, choices } : null;
    } else if (line !== "" && !isRule(line)) rest.unshift(line);
  }
  return null;
}

const MOST_LINES = 60;

const isWhole = (choices: readonly Choice[]): boolean =>
  choices.every(({ number }, i) => number === i + 1) && choices.filter(({ marked }) => marked).length === 1;

/** Choices without numbers: a block of lines in one column, one of them marked. */
export function markedMenu(lines: readonly string[], end: number): Menu | null {
  let from = end;
  while (from > 0 && (lines[from - 1] ?? "") !== "" && end - from < 20) from--;
  const block = lines.slice(from, end);
  const marked = block.findIndex((line) => MARKED.test(line));
  if (marked < 0 || block.length < 2) return null;
  const text = (MARKED.exec(block[marked] ?? "")?.[1]?.length ?? 0) + 2;
  const aligned = block.every(
    (line, i) => (i === marked || line.slice(0, text).trim() === "") && /^\S/.test(line.slice(text)),
  );
  if (!aligned) return null;
  return { from, choices: block.map((line, i) => ({ number: i + 1, text: line.slice(text), marked: i === marked })) };
}

/** The keys for a choice in a menu without numbers: first to it, then Enter. */
export function walkTo(choices: readonly Choice[], to: number, back: string, forth: string): string {
  const steps = to - choices.findIndex(({ marked }) => marked);
  return [...Array<string>(Math.abs(steps)).fill(steps < 0 ? back : forth), "Enter"].join(" ");
}

export const optionsOf = (
  choices: readonly Choice[],
  keyOf: (choice: Choice, index: number) => string,
): ScreenOption[] =>
  choices.map((choice, i) => ({ key: keyOf(choice, i), text: choice.text, grants: grantOf(choice.text) }));

/**
 * In a low pane a list is cut, and refusing may be among what is missing: then it is Escape, where the program itself
 * says so below the list.
 */
export function withEscape(options: readonly ScreenOption[], foot: string): readonly ScreenOption[] {
  if (!/\besc to cancel\b/i.test(foot) || options.some(({ grants }) => grants === "no")) return options;
  return [...options, { key: "Escape", text: foot, grants: "no" }];
}

/**
 * What a choice grants, by its words. Only a plain yes grants once: whatever says more than that may mean more. No word
 * of a list that we do not know is ever a yes.
 */
export function grantOf(text: string): ScreenOption["grants"] {
  const said = text
    .replace(/\((?:y|a|p|n|d|esc|enter|shift\+tab)\)$/i, "")
    .replaceAll("’", "'")
    .trim()
    .toLowerCase();
  if (/^(no|reject|deny|cancel|decline|(don't|do not) (trust|allow|run))\b/.test(said)) return "no";
  if (ALWAYS.test(said)) return "always";
  return ONCE.has(said) ? "once" : "other";
}

const ONCE: ReadonlySet<string> = new Set([
  "yes",
  "yes, proceed",
  "yes, allow once",
  "yes, just this once",
  "allow once",
]);

const ALWAYS =
  /don't ask again|do not ask again|\balways\b|for (this|the) (session|conversation|project)|\ball (future|edits|commands)\b|switch to|auto[- ]?(mode|approve|accept)|accept edits|remember|that start with|bypass|trust/;
