import type { Hunk } from "./prediction.ts";

/** What git writes behind the markers of one merge. */
export interface Labels {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

const MOST_HUNKS = 50;
const MOST_LINES = 200;
const LONGEST_LINE = 500;

/**
 * The conflicts of a merged file whose markers are of the diff3 kind. A file may hold markers of its own (a document
 * about merging does): a conflict begins only where the label is the merge's, and its other markers are as long as its
 * first one. Lines are as they are, a CR at their end included; only LF ends one.
 */
export function parseHunks(text: string, labels: Labels): { readonly hunks: readonly Hunk[]; readonly cut: boolean } {
  const hunks: Hunk[] = [];
  let open: Open | null = null;
  let line = 1;
  for (const each of text.split("\n")) {
    if (open === null) {
      const size = opening(each, labels.ours);
      if (size > 0) open = { size, line, side: "ours", base: new Lines(), ours: new Lines(), theirs: new Lines() };
      else line++;
      continue;
    }
    const next = marker(each, open, labels.theirs);
    if (next === null) open[open.side].add(asInner(each, open.size, labels));
    else if (next !== "end") open.side = next;
    else {
      if (hunks.length === MOST_HUNKS) return { hunks, cut: true };
      hunks.push(closed(open));
      line += open.ours.count;
      open = null;
    }
  }
  return { hunks, cut: open !== null };
}

interface Open {
  readonly size: number;
  readonly line: number;
  side: "base" | "ours" | "theirs";
  readonly base: Lines;
  readonly ours: Lines;
  readonly theirs: Lines;
}

class Lines {
  readonly kept: string[] = [];
  count = 0;
  cut = false;

  add(line: string): void {
    this.count++;
    this.cut ||= this.count > MOST_LINES || line.length > LONGEST_LINE;
    if (this.count <= MOST_LINES) this.kept.push(line.slice(0, LONGEST_LINE));
  }
}

function closed({ line, base, ours, theirs }: Open): Hunk {
  const cut = base.cut || ours.cut || theirs.cut;
  return { line, base: base.kept, ours: ours.kept, theirs: theirs.kept, ...(cut && { cut }) };
}

/** How long the markers of the conflict are that begins here; 0 where none does. */
function opening(line: string, labels: readonly string[]): number {
  if (!line.startsWith("<")) return 0;
  const size = /^<+/.exec(line)?.[0].length ?? 0;
  return isLabelled(line, size, labels) ? size : 0;
}

/** `<<<<<<< label`, with the file's name behind a colon where it has another one on that side. */
function isLabelled(line: string, size: number, labels: readonly string[]): boolean {
  if (line[size] !== " ") return false;
  const label = withoutCr(line.slice(size + 1));
  return labels.some((each) => label === each || label.startsWith(`${each}:`));
}

function marker(line: string, { size, side }: Open, theirs: readonly string[]): "base" | "theirs" | "end" | null {
  // First its length: a marker can be as long as the file, and would be made for each of its lines.
  if (line.length < size) return null;
  if (side === "ours" && line.startsWith("|".repeat(size)) && /^( .*)?\r?$/.test(line.slice(size))) return "base";
  if (side !== "theirs" && withoutCr(line) === "=".repeat(size)) return "theirs";
  if (side === "theirs" && line.startsWith(">".repeat(size)) && isLabelled(line, size, theirs)) return "end";
  return null;
}

const USUAL = 7;

/**
 * Where both sides renamed, a side may be a conflict itself, in markers longer than those around it. They are shown at
 * the length people know, and by side: the label is a commit nobody has heard of.
 */
function asInner(line: string, size: number, { ours, theirs }: Labels): string {
  const marks = /^(?:<+|\|+|=+|>+)/.exec(line)?.[0].length ?? 0;
  if (marks <= size) return line;
  const [label = "", ...name] = line.slice(marks + 1).split(":");
  const side = ours.includes(label) ? "ours" : theirs.includes(label) ? "theirs" : null;
  const rest = side === null ? line.slice(marks) : ` ${[side, ...name].join(":")}`;
  return `${line.slice(0, USUAL + marks - size)}${rest}`;
}

const withoutCr = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
