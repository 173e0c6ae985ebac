import { type FailedTest, failedTest, firstFailures, type ResultsReader } from "./results.ts";

/** pytest, also with -q. */
export const readPytest: ResultsReader = (lines) => {
  const line = lines.findLast(
    (each) => /^(=+ )?(\d+ \w+(, )?)+ in [\d.]+s/.test(each) || /^=* ?no tests ran in /.test(each),
  );
  if (line === undefined) return null;
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  const failed = count("failed") + count("errors?");
  const passed = count("passed") + count("xpassed");
  const skipped = count("skipped") + count("xfailed");
  return {
    runner: "pytest",
    counts: { tests: failed + passed + skipped, passed, failed, skipped },
    failures: firstFailures(failuresIn(lines)),
  };
};

/** The short summary names them; the sections above hold the lines that begin with E, and the place. */
function failuresIn(lines: readonly string[]): FailedTest[] {
  const told = sectionsIn(lines);
  const failures: FailedTest[] = [];
  for (const line of lines) {
    const [, file, name, why] = /^(?:FAILED|ERROR) ([^\s:]{1,300})(?:::(\S{1,300}))?(?: - (.*))?$/.exec(line) ?? [];
    if (file === undefined) continue;
    const section = told.get((name ?? "").split("::").join(".").replace(/\[.*$/s, "")) ?? told.get(name ?? "");
    const place = section?.line === undefined ? { file } : { file: section.file ?? file, line: section.line };
    failures.push(failedTest(name ?? file, section?.errors ?? (why === undefined ? [] : [why]), place));
  }
  return failures;
}

interface Section {
  readonly errors: string[];
  file?: string;
  line?: number;
}

function sectionsIn(lines: readonly string[]): Map<string, Section> {
  const sections = new Map<string, Section>();
  let current: Section | null = null;
  for (const line of lines) {
    const [, title] = /^_{3,} (?:ERROR at setup of )?(.{1,300}?) _{3,}$/.exec(line.slice(0, 1_000)) ?? [];
    if (title !== undefined) {
      current = { errors: [] };
      sections.set(title.replace(/\[.*$/s, ""), current);
    } else if (/^={3,}/.test(line)) current = null;
    if (current === null) continue;
    if (/^E {2,}/.test(line) && current.errors.length < 12) current.errors.push(line.slice(1).trim());
    const [, file, number] = /^([^\s:]{1,300}\.py):(\d+): /.exec(line) ?? [];
    if (file !== undefined) Object.assign(current, { file, line: Number(number) });
  }
  return sections;
}
