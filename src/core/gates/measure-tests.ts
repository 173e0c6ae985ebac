/** What can be counted in the text of a test file. Rough, and the same before and after. */
export interface TestMeasure {
  readonly tests: number;
  readonly assertions: number;
  /** Tests that are switched off, or that switch off all others. */
  readonly skips: number;
}

export const NO_TESTS: TestMeasure = { tests: 0, assertions: 0, skips: 0 };

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
  /\b(?:it|test|describe|suite|context)(?:\.\w{1,40}){0,4}\.(?:skip|todo|only|failing)\b/g,
  /\b(?:x|f)(?:it|describe|test|context)\s*\(/g,
  /\b(?:skip|todo|only)\s*:\s*(?:true|["'`])/g,
  /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure))\b/g,
  /\b(?:pytest\.(?:skip|xfail)|self\.skipTest|t\.Skip\w*)\s*\(/g,
  /#\[ignore\b/g,
  /^[ \t]*@(?:Disabled|Ignore)\b/gm,
];

const LONGEST_LINE = 2_000;

/** The lines in which something is tested: where tests are moved to, they are found again. */
export const testingLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.slice(0, LONGEST_LINE).trim())
    .filter((line) => [...TESTS, ...ASSERTIONS].some((pattern) => line.search(pattern) >= 0));

/** In one pass for each pattern, over lines of bounded length. */
export function measureTests(text: string): TestMeasure {
  const code = text
    .split("\n")
    .filter((line) => !/^\s*(\/\/|#(?!\[)|\*)/.test(line.slice(0, 200)))
    .map((line) => line.slice(0, LONGEST_LINE))
    .join("\n");
  const count = (patterns: readonly RegExp[]) =>
    patterns.reduce((sum, pattern) => sum + (code.match(pattern)?.length ?? 0), 0);
  return { tests: count(TESTS), assertions: count(ASSERTIONS), skips: count(SKIPS) };
}
