import { fnv1a64 } from "../text/hash.ts";
import { onOneLine } from "../text/printable.ts";

/** Which group of gates found it, as the wire names it in front of an error. */
export type FindingTag = "testing" | "regression" | "spec audit" | "doc audit" | "security audit";

/**
 * What it is about. `red`: a command fails. `regression`: what worked on the base does not any more. `cheat`: the branch
 * changes what decides over it, which only a person may accept. `stale`: it undoes what has landed meanwhile. `conflict`:
 * it does not merge. `environment`: it could not be found out. `review`: a reviewer's word.
 */
export type FindingKind = "red" | "regression" | "cheat" | "stale" | "conflict" | "environment" | "review";

/** Something that somebody has to see about a branch, or about a tree. */
export interface Finding {
  readonly tag: FindingTag;
  readonly kind: FindingKind;
  /** The gate that found it; none for what was seen in the changes themselves. */
  readonly gate?: string;
  /** A sentence without line ends. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  /** The content it was found in, as git calls it before and after: of any other content it is another finding. */
  readonly about?: string;
  /** What was printed about it, a few lines. */
  readonly lines?: readonly string[];
}

/** Whether an error that an agent gets is one of these. */
export const isFindingText = (error: string): boolean =>
  /^\[(testing|regression|spec audit|doc audit|security audit)\] /.test(error);

/** Stands for a finding wherever it is found again: a person who has accepted it is not asked twice. */
export const findingKey = ({ kind, message, file, about }: Finding): string =>
  fnv1a64(JSON.stringify([kind, file ?? null, message, ...(about === undefined ? [] : [about])]));

/** Only a person may accept these: what they are about decides over the branch itself. */
export const isForPerson = ({ kind }: Finding): boolean => kind === "cheat" || kind === "stale";

const MOST_ERRORS = 20;
const MOST_LINES = 12;
const LONGEST_LINE = 300;

/** As an agent gets them: tagged, with the place and a few lines each, and never a wall of text. */
export function asErrors(findings: readonly Finding[]): string[] {
  const shown = findings.slice(0, MOST_ERRORS).map(asError);
  const left = findings.length - shown.length;
  return left > 0 ? [...shown, `[${findings[MOST_ERRORS]?.tag}] and ${left} more`] : shown;
}

/** In one line, for people. */
export const inOneLine = ({ tag, message, file, line }: Finding): string =>
  onOneLine(`[${tag}] ${placeOf(file, line)}${message}`);

function asError(finding: Finding): string {
  const lines = (finding.lines ?? []).slice(0, MOST_LINES).map((line) => `    ${line.slice(0, LONGEST_LINE)}`);
  return [inOneLine(finding).slice(0, 4 * LONGEST_LINE), ...lines].join("\n");
}

function placeOf(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return "";
  return line === undefined ? `${file}: ` : `${file}:${line}: `;
}
