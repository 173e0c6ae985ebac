/** What can be counted in the text of a test file. Rough, and the same before and after. */
export interface TestMeasure {
  readonly tests: number;
  readonly assertions: number;
  /** Tests that are switched off, or that switch off all others. */
  readonly skips: number;
  /** Where the runner is ended, or code is not reached. */
  readonly ends: number;
}

export const NO_TESTS: TestMeasure = { tests: 0, assertions: 0, skips: 0, ends: 0 };

const FOLDERS = /(^|\/)(tests?|__tests__|specs?|e2e|testing|integration)\//;
const NAMES =
  /(\.(test|spec|e2e|cy)\.[cm]?[jt]sx?|(^|\/)test_[^/]*\.py|_test\.(py|go|rb|exs?|dart|c|cc|cpp)|_spec\.rb|Tests?\.(java|kt|cs|swift|php))$/;
const CODE = /\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|swift|php|exs?|dart|c|cc|cpp|sh|bats)$/;

/** Whether a file holds tests by its name. Rust keeps them beside the code: there its text decides. */
export const isTestFile = (path: string): boolean => CODE.test(path) && (NAMES.test(path) || FOLDERS.test(path));

export const mayHoldTests = (path: string): boolean => isTestFile(path) || path.endsWith(".rs");

/** None of them looks further than its line, nor at chains without end: agents write what is read here. */
const TESTS: readonly RegExp[] = [
  /\b(?:it|test)(?:\.(?:each|concurrent|skip|todo|only|failing|skipIf|runIf)){0,4}(?:\([^()\n]{0,200}\))?\s*[(`]/g,
  /^[ \t]*(?:\w+[ \t]+)?def test\w*\s*\(/gm,
  /^[ \t]*#\[(?:\w+::)*test\b/gm,
  /^func (?:Test|Benchmark|Fuzz|Example)\w*\(/gm,
  /^[ \t]*@(?:Test|ParameterizedTest)\b/gm,
];
const ASSERTIONS: readonly RegExp[] = [
  /\bexpect\w*\s*[(.]/g,
  /\bassert\w*\b/g,
  /\.should\b/g,
  /\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|not|true|false|equal|same|deepEqual|throws)\b/g,
  /\b(?:require|self)\.(?:\w*[Ee]qual\w*|NoError|True|False|assert\w+)\b/g,
];
const SKIPS: readonly RegExp[] = [
  /\b(?:it|test|describe|suite|context|bench)(?:\.\w{1,40}){0,4}\.(?:skip|skipIf|runIf|todo|only|fails?|failing|fixme)\b/g,
  /\b(?:x|f)(?:it|describe|test|context|specify)\s*\(/g,
  /\b(?:skip|todo|only)\s*:\s*(?:true|["'`])/g,
  // Any other value, where it is seen to belong to a test: `{ skip: 10 }` may be pages.
  /\b(?:it|test|describe|suite)\s*\([^\n]{0,200}?[{,][ \t]*(?:skip|todo|only|expectFailure)[ \t]*:(?![ \t]*(?:true|["'`]|false\b|0\b|!1\b|undefined\b|null\b))/g,
  /\b(?:t|ctx|this)\.(?:skip|todo)\s*\(/g,
  /\bpytest\.mark\.(?:skip|skipif|xfail)\b|@unittest\.(?:skip\w*|expectedFailure)\b/g,
  /\b(?:pytest\.(?:skip|xfail|importorskip)|self\.skipTest|t\.Skip\w*|(?:unittest\.)?SkipTest|XCTSkip\w*|markTest\w+)\s*\(/g,
  /\b__test__\s*=\s*False\b|^collect_ignore/gm,
  /#!?\[(?:ignore\b|should_panic\b|cfg\((?:any\(\)|FALSE\b|not\(test\b)|cfg_attr\([^\n]{0,80}ignore\b)/g,
  /^[ \t]*@(?:Disabled|Ignore)\b|\[(?:Ignore|Fact\(Skip|Theory\(Skip)\b/gm,
];

/** What ends the runner, and what keeps code from being reached. Programs that only help tests do so, too. */
const ENDS: readonly RegExp[] = [
  /\b(?:process\.(?:exit|reallyExit|abort)|os\._exit|sys\.exit|os\.Exit|process::exit|System\.exit)\s*\(/g,
  /\bif\s*\(\s*(?:false|0)\s*\)|^[ \t]*if (?:False|0)\s*:|^[ \t]*#[ \t]*if[ \t]+0\b|^\/\/go:build|^\/\/ \+build/gm,
];

const LONGEST_LINE = 2_000;

/** The lines in which something is tested: where tests are moved to, they are found again. */
export const testingLines = (text: string): string[] => linesWith(text, [...TESTS, ...ASSERTIONS]);

/** The lines in which tests begin. */
export const testTitles = (text: string): string[] => linesWith(text, TESTS);

const linesWith = (text: string, patterns: readonly RegExp[]): string[] =>
  withoutComments(text.split("\n").map((line) => line.slice(0, LONGEST_LINE)))
    .map((line) => line.trim())
    .filter((line) => patterns.some((pattern) => line.search(pattern) >= 0));

/** In one pass for each pattern, over lines of bounded length. */
export function measureTests(text: string): TestMeasure {
  const code = withoutComments(text.split("\n").map((line) => line.slice(0, LONGEST_LINE))).join("\n");
  const count = (patterns: readonly RegExp[]) =>
    patterns.reduce((sum, pattern) => sum + (code.match(pattern)?.length ?? 0), 0);
  return { tests: count(TESTS), assertions: count(ASSERTIONS), skips: count(SKIPS), ends: count(ENDS) };
}

/** Comments that begin with their line: behind anything else it could as well be a text. */
function withoutComments(lines: readonly string[]): string[] {
  let inBlock = false;
  return lines.filter((line) => {
    const begins = !inBlock && /^\s*\/\*/.test(line);
    const wasIn = inBlock || begins;
    if (wasIn) inBlock = !line.slice(begins ? line.indexOf("/*") + 2 : 0).includes("*/");
    return !wasIn && (DECIDES.test(line) || !/^\s*(\/\/|#(?!!?\[)|\*)/.test(line));
  });
}

/** Looks like a comment, and is none. */
const DECIDES = /^(?:\/\/go:build|\/\/ \+build|[ \t]*#[ \t]*if[ \t]+0\b)/;
