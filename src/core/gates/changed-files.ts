import { counted } from "../text/counted.ts";
import { fnv1a64 } from "../text/hash.ts";
import { changedParts } from "./gate-inputs.ts";
import type { ChangedInput, FileChange, TestFileChange } from "./inspection.ts";
import {
  isTestFile,
  mayHoldTests,
  measureTests,
  NO_TESTS,
  type TestMeasure,
  testingLines,
  testTitles,
} from "./measure-tests.ts";

/** A changed file with what git calls its content before and after; empty where there is none. */
export interface KnownChange extends FileChange {
  readonly ids: readonly [string, string];
}

/** So many files are kept by name. All of them are looked at: what is hidden among many counts like any other. */
export const MOST_NAMED = 2_000;
const MOST_INPUTS = 50;

/** The files a branch changes, with their texts before and after. */
export class ChangedFiles {
  private readonly byPath: ReadonlyMap<string, KnownChange>;
  private present: ReadonlySet<string> | null = null;

  constructor(
    files: readonly KnownChange[],
    private readonly old: ReadonlyMap<string, string>,
    private readonly now: ReadonlyMap<string, string>,
  ) {
    const renamed = files.flatMap((file) => (file.from === undefined ? [] : [[file.from, file] as const]));
    this.byPath = new Map([...renamed, ...files.map((file) => [file.path, file] as const)]);
  }

  /** Stands for this very change of a file. */
  about = (path: string): string => this.byPath.get(path)?.ids.join(" → ") ?? "";

  /** Of files that decide what gates run, those in which that is not as it was. `run`: those that gates run by name. */
  inputs(paths: readonly string[], run: readonly string[]): ChangedInput[] {
    const all = [...new Set([...paths, ...run.filter((path) => this.runsOther(path))])];
    return boundInputs(all.map((path) => this.input(path)).filter(({ parts }) => parts.length > 0));
  }

  /** Tests that are run by name are looked at as tests; of what only names the tests, only a line that is gone counts. */
  private runsOther(path: string): boolean {
    const [before, after] = [this.old.get(path), this.now.get(path)];
    if (before === undefined || after === undefined) return true;
    const { tests, assertions } = measureTests(before);
    if (tests + assertions > 0) return false;
    const now = new Set(after.split("\n").map((line) => line.trim()));
    return !isTestFile(path) || before.split("\n").some((line) => !now.has(line.trim()));
  }

  /** Of files with tests, those that hold more or less of them. */
  tests(paths: readonly string[]): TestFileChange[] {
    const all = paths.filter((path) => !this.isKept(path)).map((path) => this.test(path));
    const isSame = ({ before, after }: TestFileChange) => JSON.stringify(before) === JSON.stringify(after);
    return boundTests(all.filter((each) => each.unread === true || !isSame(each)));
  }

  /** Under another name by which it holds tests: it is looked at there. With any other nobody runs it. */
  private isKept(path: string): boolean {
    const file = this.byPath.get(path);
    return file?.from === path && mayHoldTests(file.path);
  }

  private input(path: string): ChangedInput {
    const [before, after] = [this.old.get(path) ?? null, this.now.get(path) ?? null];
    const parts = this.isUnread(path) ? [path] : changedParts(path, before, after);
    return { path, parts, about: this.about(path) };
  }

  private test(path: string): TestFileChange {
    const file = this.byPath.get(path);
    const from = file?.from ?? path;
    const isGone = file?.how === "deleted" || file?.from === path;
    const measure = (text: string | undefined) => (text === undefined ? NO_TESTS : measureTests(text));
    const hidden = isTestFile(from) && file?.ids[0] !== "" && !this.old.has(from);
    const [before, after] = [measure(this.old.get(from)), measure(isGone ? undefined : this.now.get(path))];
    const lost = isGone ? this.isLost(path) : this.hasLost(from, before.tests - after.tests);
    return {
      path,
      before,
      after,
      deleted: isGone,
      ...(lost && { lost: true }),
      about: this.about(path),
      ...(hidden && { unread: true }),
    };
  }

  /** As many tests elsewhere are not the same tests: most lines of these have to be there. */
  private isLost(path: string): boolean {
    const lines = testingLines(this.old.get(path) ?? "");
    return lines.length > 0 && this.missing(lines) * 2 > lines.length;
  }

  /** Tests that are not in the file any more have to be in another one by the line they begin with. */
  private hasLost(from: string, count: number): boolean {
    return count > 0 && this.missing(testTitles(this.old.get(from) ?? "")) >= count;
  }

  private missing(lines: readonly string[]): number {
    this.present ??= new Set([...this.now.values()].flatMap(testingLines));
    return lines.filter((line) => this.present?.has(line) === false).length;
  }

  /** It is there, and what it says is not known: whatever it is may have changed. */
  private isUnread(path: string): boolean {
    const { ids: [before, after] = ["", ""], from } = this.byPath.get(path) ?? {};
    const [was, is] = [from === undefined || path === from ? before : "", path === from ? "" : after];
    return (was !== "" && !this.old.has(path)) || (is !== "" && !this.now.has(path));
  }
}

/** What is beyond the most that are named is one more, which stands for all of them. */
const restOf = (rest: readonly { readonly path: string; readonly about: string }[]) => ({
  path: `${counted(rest.length, "more file")}`,
  about: fnv1a64(JSON.stringify(rest.map(({ path, about }) => [path, about]))),
});

function boundInputs(inputs: readonly ChangedInput[]): ChangedInput[] {
  const rest = inputs.slice(MOST_INPUTS);
  return rest.length === 0 ? [...inputs] : [...inputs.slice(0, MOST_INPUTS), { ...restOf(rest), parts: [] }];
}

function boundTests(tests: readonly TestFileChange[]): TestFileChange[] {
  const rest = tests.slice(MOST_NAMED);
  if (rest.length === 0) return [...tests];
  const sum = (of: (each: TestFileChange) => TestMeasure) =>
    rest.map(of).reduce((all, each) => ({
      tests: all.tests + each.tests,
      assertions: all.assertions + each.assertions,
      skips: all.skips + each.skips,
      ends: all.ends + each.ends,
    }));
  const unread = rest.some((each) => each.unread === true);
  const together = { before: sum(({ before }) => before), after: sum(({ after }) => after), deleted: false };
  return [...tests.slice(0, MOST_NAMED), { ...restOf(rest), ...together, ...(unread && { unread: true }) }];
}
