import colors from "picocolors";
import type { ConflictFile, Hunk, Prediction } from "../../core/conflicts/prediction.ts";
import { type ConflictLine, type ConflictsView, type ConflictView, conflictWords } from "../../core/conflicts/view.ts";
import { counted } from "../../core/text/counted.ts";
import { onOneLine, printable } from "../../core/text/printable.ts";

/** A session's conflicts for people, worst last: what would not merge stands nearest to the prompt. */
export function renderConflicts({ forward, inFlight, ownership, predicted, unknown = [] }: ConflictsView): string {
  const parts = [
    ...forward.map((each) => line(each, "forward")),
    ...inFlight.map((each) => line(each, "in-flight")),
    ...ownership.map((each) => line(each, "ownership")),
    ...predicted.map(({ between, files }) => renderPair(between, { outcome: "conflict", shared: [], files })),
    ...unknown.map((pair) => `${colors.bold(onOneLine(pair))}  ${colors.yellow("could not be checked")}\n`),
  ];
  return parts.length === 0 ? "No conflicts.\n" : parts.join("");
}

const line = ({ between, paths, settled = false }: ConflictView, kind: ConflictLine["kind"]): string =>
  `${colors.bold(between.map(onOneLine).join(" × "))}  ${colors.yellow(conflictWords({ kind, settled }))}: ${listed(paths)}\n`;

/** One pair for people: what conflicts, line by line; or that nothing does. */
export function renderPair(between: readonly [string, string], { outcome, shared, files }: Prediction): string {
  const title = colors.bold(between.map(onOneLine).join(" × "));
  if (outcome !== "conflict") {
    const both = outcome === "same-file" ? `, both change ${listed(shared)}` : "";
    return `${title}  ${colors.green("clean")}${both}\n`;
  }
  const count = counted(files.length, "file");
  const lines = [
    `${title}  ${colors.red("conflict")} in ${count}`,
    ...files.flatMap((file) => fileLines(file, between)),
  ];
  return `${lines.join("\n")}\n`;
}

const MOST_NAMES = 5;
const MOST_LINES = 12;

function listed(paths: readonly string[]): string {
  const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : "";
  return `${paths.slice(0, MOST_NAMES).map(onOneLine).join(", ")}${more}`;
}

function fileLines({ path, kind, hunks, cut }: ConflictFile, between: readonly [string, string]): string[] {
  const name = onOneLine(path);
  if (hunks.length === 0) return [`  ${name}  ${colors.dim(kind)}`];
  const shown = hunks.flatMap((hunk) => [`  ${name}:${hunk.line}  ${colors.dim(kind)}`, ...hunkLines(hunk, between)]);
  return cut ? [...shown, `  ${name}  ${colors.dim("and more")}`] : shown;
}

function hunkLines({ base, ours, theirs }: Hunk, [a, b]: readonly [string, string]): string[] {
  const width = Math.max(4, ...[a, b].map((name) => onOneLine(name).length));
  const crlf = [...base, ...ours, ...theirs].every((line) => line.endsWith("\r"));
  const side = (name: string, lines: readonly string[], paint: (text: string) => string) => {
    const kept = lines
      .slice(0, MOST_LINES)
      .map((line) => printable(crlf ? line.slice(0, -1) : line.replace(/\r$/, "␍")));
    const more = lines.length > MOST_LINES ? [colors.dim(`… ${lines.length - MOST_LINES} more`)] : [];
    const texts = lines.length === 0 ? [colors.dim("(nothing)")] : [...kept.map((line) => paint(line)), ...more];
    return texts.map((text, i) => `    ${(i === 0 ? onOneLine(name) : "").padEnd(width)} ${colors.dim("│")} ${text}`);
  };
  return [...side("base", base, colors.dim), ...side(a, ours, colors.cyan), ...side(b, theirs, colors.magenta)];
}
