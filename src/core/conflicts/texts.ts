import { counted } from "../text/counted.ts";
import { onOneLine } from "../text/printable.ts";
import type { Overlap, Touch } from "./plans.ts";
import type { ConflictFile } from "./prediction.ts";

/**
 * Every text of the detector begins so: agents and dashboards tell it from what a person says by it. Names in it are
 * others', and on one line: what a file is called must not look like a line of ours.
 */
export const TAG = "[conflict-detector]";

export function forward(other: string, overlaps: readonly Overlap[], most: number): string {
  const named = overlaps.slice(0, most).map(({ words }) => onOneLine(words));
  const rest = overlaps.length > most ? `; and ${overlaps.length - most} more` : "";
  const hint = overlaps.some(({ crossKind }) => crossKind)
    ? " (some regions are of kinds that cannot be compared: name functions or lines on both sides)"
    : "";
  return `${TAG} forward conflict: ${other} also declares intent over ${named.join("; ")}${rest}${hint}`;
}

/** As the reader sees it. */
export function inFlight(path: string, how: Touch["how"], other: string): string {
  const start = `${TAG} in-flight conflict: file ${onOneLine(path)} is being modified by`;
  if (how === "both") return `${start} both you and ${other}`;
  return how === "modifies-planned" ? `${start} you, and ${other} plans to` : `${start} ${other}, and you plan to`;
}

export const more = (count: number, other: string): string =>
  `${TAG} in-flight conflict: and ${counted(count, "more file")} with ${other}`;

/** `absent`: the owner is a spec that nobody works on here. */
export function violation(path: string, owner: string, by: "spec" | "intent" | "absent"): string {
  const start = `${TAG} ownership violation: you edited ${onOneLine(path)}`;
  if (by === "intent") return `${start} but agent ${owner} declared intent over it`;
  return by === "spec"
    ? `${start}, which belongs to agent ${owner}'s spec`
    : `${start}, which belongs to the spec ${onOneLine(owner)}, and no agent works on that here`;
}

export const askInFlight = (paths: readonly string[], a: string, b: string, seconds: number): string =>
  `${TAG} in-flight conflict: ${a} and ${b} have both been at ${listed(paths)} for ${seconds} s, and neither has given way: who should go on?`;

export const askViolation = (paths: readonly string[], violator: string, owner: string, absent = false): string => {
  const whose = absent ? `belongs to the spec ${onOneLine(owner)}` : `is ${owner}'s`;
  return `${TAG} ownership violation: ${violator} edited ${listed(paths)}, which ${whose}: is that meant?`;
};

export const additive = (paths: readonly string[], other: string): string =>
  `${TAG} in-flight conflict: shared file, additive: you and ${other} are in different parts of ${listed(paths)}; resolve at merge`;

export const mergesClean = (paths: readonly string[], other: string): string =>
  `${TAG} in-flight conflict: what you and ${other} have changed in ${listed(paths)} merges without a conflict as it is now; no one is asked about it`;

interface PredictedFor {
  readonly me: string;
  readonly other: string;
  /** The other is the branch everything lands on. */
  readonly base: boolean;
  readonly files: readonly ConflictFile[];
  /** Whether `ours` of the hunks is the reader's. */
  readonly mineIsOurs: boolean;
  first(file: ConflictFile): string | null;
}

const MOST_NAMED = 5;
const MOST_FILES = 3;
const MOST_HUNKS = 2;
const MOST_LINES = 8;

/** The news in one line; then, for a few files, the lines as each side has them: somebody else's text, marked as such. */
export function predicted({ me, other, base, files, mineIsOurs, first }: PredictedFor): string[] {
  const whose = base ? `${other} as it is now` : `agent ${other}'s work as it is now`;
  const firsts = new Set(files.map(first));
  const [only = null] = firsts;
  const order =
    base || firsts.size > 1 || only === null ? "" : `; ${only === me ? "you were" : `${only} was`} there first`;
  const named = listed(files.map(({ path, kind }) => `${path} (${kind})`));
  const head = `${TAG} predicted conflict: your work would not merge with ${whose}: ${named}${order}`;
  return [head, ...files.slice(0, MOST_FILES).flatMap((file) => hunksOf(file, other, mineIsOurs))];
}

function hunksOf({ path, hunks }: ConflictFile, other: string, mineIsOurs: boolean): string[] {
  return hunks.slice(0, MOST_HUNKS).map(({ line, base, ours, theirs }) => {
    const [mine, their] = mineIsOurs ? [ours, theirs] : [theirs, ours];
    return [
      `${onOneLine(path)}, line ${line}:`,
      ...side("base", base),
      ...side("you", mine),
      ...side(other, their),
    ].join("\n");
  });
}

function side(name: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${name} | ${onOneLine(line)}`);
  const more = lines.length > MOST_LINES ? [`  ${name} | (${counted(lines.length - MOST_LINES, "more line")})`] : [];
  return lines.length === 0 ? [`  ${name} | (nothing)`] : [...shown, ...more];
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, MOST_NAMED).map(onOneLine).join(", ")}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ""}`;
