import type { Gate } from "./gates.ts";
import { printedLines, readResults } from "./results/read-results.ts";
import type { Counts, FailedTest } from "./results/results.ts";

/** How running a gate's command went, as far as a process shows it. */
export interface GateRun {
  readonly code: number | null;
  readonly timedOut: boolean;
  /** How it was ended from outside; null where it ended by itself. */
  readonly killedBy: string | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly seconds: number;
  /** Tracked files that were not as they had been when it ended. */
  readonly changed: readonly string[];
}

/** Why a gate could not say anything about the tree. Whose fault that is, is found out by running the base. */
export type Trouble = "timeout" | "not-found" | "memory" | "disk" | "set-up";

export interface GateResult {
  readonly gate: Gate;
  readonly verdict: "pass" | "fail";
  readonly seconds: number;
  readonly code: number | null;
  readonly trouble: Trouble | null;
  readonly counts: Counts | null;
  readonly failures: readonly FailedTest[];
  /** The last lines it printed. */
  readonly tail: readonly string[];
  /** Tracked files that it changed, which makes it fail: what was tested is not what would land. */
  readonly changed: readonly string[];
}

const TAIL_LINES = 15;
const LONGEST_LINE = 300;
const MOST_CHANGED = 20;

/** `root` is the folder it ran in. */
export function readRun(gate: Gate, run: GateRun, root: string): GateResult {
  const results = readResults(run.output, root);
  const trouble = troubleOf(run);
  const failed = run.code !== 0 || trouble === "timeout" || run.changed.length > 0;
  return {
    gate,
    verdict: failed ? "fail" : "pass",
    seconds: run.seconds,
    code: run.code,
    trouble: run.code === 0 ? null : trouble,
    counts: results?.counts ?? null,
    failures: run.code === 0 ? [] : (results?.failures ?? []),
    tail: run.code === 0 && run.changed.length === 0 ? [] : lastLines(run.output),
    changed: run.changed.slice(0, MOST_CHANGED),
  };
}

const lastLines = (output: string): string[] =>
  printedLines(output.slice(-64 * 1024))
    .filter((line) => line.trim() !== "")
    .slice(-TAIL_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));

function troubleOf({ code, timedOut, killedBy, output }: GateRun): Trouble | null {
  const end = output.slice(-8 * 1024);
  if (timedOut) return "timeout";
  if (/No space left on device|ENOSPC|Disk quota exceeded/.test(end)) return "disk";
  if (code === 126 || code === 127) return "not-found";
  if (code === 137 || killedBy === "SIGKILL" || /Cannot allocate memory|heap out of memory/.test(end)) return "memory";
  return null;
}

export const TROUBLES: Readonly<Record<Trouble, string>> = {
  timeout: "took longer than allowed",
  "not-found": "could not be run: a command was not found",
  memory: "was killed, probably because memory ran out",
  disk: "found the disk full",
  "set-up": "could not be run: set-up failed",
};
