import { stripEscapes } from "../../text/strip-escapes.ts";
import { readCargo } from "./cargo.ts";
import { readGo } from "./go.ts";
import { readJest } from "./jest.ts";
import { readMocha } from "./mocha.ts";
import { readPytest } from "./pytest.ts";
import type { FailedTest, Results, ResultsReader } from "./results.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";
import { readVitest } from "./vitest.ts";

/** Those whose summary nobody else prints come first. */
const READERS: readonly ResultsReader[] = [
  readVitest,
  readJest,
  readCargo,
  readPytest,
  readUnittest,
  readTap,
  readMocha,
  readGo,
];

const MOST_LINES = 100_000;
const LONGEST_LINE = 4_000;

/**
 * What a gate printed, as its runner means it; null where nobody knows it: then only the exit code and the end of the
 * output say something. `root` is the folder it ran in, which is cut off from places.
 */
export function readResults(output: string, root: string): Results | null {
  const lines = printedLines(output);
  for (const read of READERS) {
    const found = read(lines);
    if (found !== null) return { ...found, failures: found.failures.map((failure) => relative(failure, root)) };
  }
  return null;
}

/** The lines as a person would see them, bounded. */
export const printedLines = (output: string): string[] =>
  stripEscapes(output)
    .split("\n")
    .slice(-MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));

function relative(failure: FailedTest, root: string): FailedTest {
  const prefix = root.endsWith("/") ? root : `${root}/`;
  const cut = (text: string) => text.replaceAll(`file://${prefix}`, "").replaceAll(prefix, "");
  return {
    ...failure,
    name: cut(failure.name),
    ...(failure.file !== undefined && { file: cut(failure.file) }),
    lines: failure.lines.map(cut),
  };
}
