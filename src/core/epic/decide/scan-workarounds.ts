/** A passage that routes around a failing check instead of mending what fails. */
export interface Workaround {
  readonly rule: string;
  readonly passage: string;
}

/**
 * Looks for prose that makes a failing check into something to skip, soften or excuse: any check, a test, an audit, a
 * citation. Quoted rules (in quotes, block quotes) and clauses that forbid it are not hits. Code spans are read like
 * prose; of a code block only the markers count by which frameworks skip a test.
 */
export function scanWorkarounds(text: string): Workaround[] {
  // White space is one space: patterns that look for words apart would try every piece of a long run of it.
  const bounded = text
    .slice(0, MOST_TEXT)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\n +/g, "\n");
  const blocks = [...bounded.matchAll(CODE_BLOCK)].map(([block]) => block);
  const prose = bounded
    .replaceAll(CODE_BLOCK, "\n")
    .replaceAll(/^ ?>.*$/gm, " ")
    .replaceAll(/"([^"\n]{0,400})"|“([^”\n]{0,400})”|«([^»\n]{0,400})»/g, (_, ...quoted: unknown[]) =>
      unlessRule(String(quoted.find((each) => typeof each === "string") ?? "")),
    )
    .replaceAll("`", "");
  const found = sentencesOf(prose).flatMap((sentence) => hitIn(sentence, withoutForbidden(sentence), RULES));
  return [...found, ...blocks.flatMap((block) => hitIn(block, block, MARKERS))];
}

const MOST_TEXT = 200_000;
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;

/** The text without what tells a framework to skip a test. */
export const withoutMarkers = (text: string): string =>
  MARKERS.reduce((is, [, pattern]) => is.replaceAll(new RegExp(pattern, "g"), " "), text);

type Rules = readonly (readonly [string, RegExp])[];

function hitIn(passage: string, read: string, rules: Rules): Workaround[] {
  const [rule] = rules.find(([, pattern]) => pattern.test(read)) ?? [];
  return rule === undefined ? [] : [{ rule, passage: passage.trim().slice(0, 200) }];
}

/** A word or two in quotes are no rule that somebody cites. */
const unlessRule = (quoted: string): string => (quoted.trim().split(/\s+/).length <= 2 ? quoted : " ");

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+|\n+/);

/** A sentence may forbid one thing and ask for another: only the clause that forbids is left out. */
const withoutForbidden = (sentence: string): string =>
  sentence
    .split(CLAUSES)
    .map((clause, i) => (i % 2 === 0 && FORBIDS.test(clause) ? " " : clause))
    .join("");

/** In parentheses, so that splitting keeps what stands between the clauses. */
const CLAUSES = /([,;:()—–]|\s-\s|\b(?:so|but|then|otherwise|else|therefore|hence|instead(?! of))\b)/i;

const CHECK =
  "(?:tests?|checks?|assert(?:ion)?s?|gates?|audits?|lints?|citations?|specs?|suites?|verifications?|reviews?|cases?)";
/** What a check compares with. */
const EXPECTED = "(?:snapshots?|goldens?|expectations?|expected (?:values?|results?|outputs?)|tolerances?|thresholds?)";
const OUT_OF_ORDER = "(?:fail(?:ing|ed|s)|flaky|broken|red|slow|offending|brittle|unstable)";

const REMOVE = "(?:delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|get rid of)";
const THE = "(?:the|this|that|these|those|all|any|its|their|our)";

/** What is said of any file or line as well: only with a check as its object is it about one. */
const DEED =
  "(?:(?:delet|remov|chang|updat|rewrit|edit|modify|rais|increas|widen)\\w*|drop(?:s|ped|ping)?|(?:turn|switch|comment)(?:s|ed|ing)?(?: off| out)?)";
/** A few words before the object, none of which begins another deed. */
const UP_TO =
  "(?: (?!skip|disabl|ignor|mute|bypass|quarantin|exclud|(?:code|that|which|to|so|before|after|during|while|when|until|than|because|if)\\b)[\\w'-]+){0,4}";

/**
 * Somebody says that it must not be done: the word that forbids stands before the deed, with nothing between them but what
 * belongs to it. Any other `not` nearby forbids something else.
 */
const FORBIDS = new RegExp(
  [
    String.raw`(?:\bnever|(?<!\bwhy )\bnot(?! only| just| merely)|n't|\bcannot|\bwithout|\binstead of|\brather than|\b(?:forbid|prohibit|refus)\w*)`,
    String.raw`(?:\s+(?:be|been|being|get|to|ever|simply|silently|quietly|temporarily|try|start|allowed|permitted|allow|use|set|setting|add|adding|mark|marked|as|it|them|this|that|the|a|an|any|some|by|of|with)){0,5}`,
    String.raw`\s+(?:skip|xfail|disabl|ignor|relax|loosen|soften|weaken|lower|adjust|tweak|bypass|silenc|quarantin|exclud|work(?:ing)?[- ]?around|allow-?list|mut(?:e|ing)|comment(?:ed|ing)? out|drift|(?:too )?strict|--no-verify|continue-on-error|allow_failure|x(?:it|test|describe)\b|@\S*skip|[\w.]+\.(?:skip|todo|failing|xfail)|${DEED}${UP_TO} (?:${CHECK}|${EXPECTED})\b)`,
  ].join(""),
  "i",
);

/** How frameworks are told to skip a test. */
const MARKERS: Rules = [
  [
    "marker",
    /@(?:unittest\.)?skip\b|\bpytest\.(?:mark\.)?(?:skip|xfail)|\b(?:it|test|describe)\.(?:skip|todo|failing)\b|#\[ignore\]|\bt\.Skip\b|@Disabled\b|--no-verify\b/,
  ],
  ["marker", /(?<![\w.$])x(?:it|test|describe|context|specify) ?\(/],
  ["marker", /\b(?:continue-on-error|allow_failure) ?: ?true\b/],
];

const RULES: Rules = [
  ...MARKERS,
  [
    "drift",
    /\b(?:environment|env|test|config(?:uration)?|platform|snapshot|citation)[ -]drift\b|\bdrift candidates?\b/i,
  ],
  [
    "skip",
    new RegExp(
      `\\b(?:skip|disable|ignore|mute|xfail|bypass|silence|comment out|quarantine|exclude)(?:s|d|ped|ping|ing)?\\b[^.;\\n]{0,40}\\b${CHECK}\\b`,
      "i",
    ),
  ],
  [
    "skip",
    new RegExp(
      `\\b(?:turn|switch)(?:s|ed|ing)?(?: off${UP_TO} ${CHECK}|${UP_TO} ${CHECK} off)\\b|\\bcomment(?:s|ed|ing)?${UP_TO} ${CHECK} out\\b`,
      "i",
    ),
  ],
  [
    "skip",
    new RegExp(
      `\\b(?:do(?:es)? not|don't|never|no longer|stop) run(?:ning)?${UP_TO} ${CHECK}(?= ?$| ?[.,;:!?)]| (?:any ?more|at all|for now|here|on CI|in CI)\\b)`,
      "i",
    ),
  ],
  [
    "remove",
    new RegExp(
      `\\b${REMOVE}(?:${UP_TO} ${OUT_OF_ORDER} (?:[\\w'-]+ )?${CHECK}\\b|(?: ${THE}){1,2}(?: [\\w'-]+){0,2}? (?:tests?|test cases?|test suites?|assertions?)(?= ?$| ?[.,;:!?)]| (?:that|which|for|of|in|from|until|so|and|because|then|if|when|instead)\\b))`,
      "i",
    ),
  ],
  [
    "skip",
    new RegExp(
      `\\b${CHECK}\\b[^.;\\n]{0,30}\\b(?:be |are |is |get )?(?:skipped|disabled|ignored|muted|bypassed|silenced|quarantined|xfailed)\\b`,
      "i",
    ),
  ],
  [
    "skip on environment",
    /\bskip(?:ped|s|ping)?\b[^.;\n]{0,30}\b(?:on|in|under|when|if)\b[^.;\n]{0,30}\b(?:CI|host|docker|windows|macos|linux|env\w*|local\w*|sandbox)\b/i,
  ],
  [
    "expected failure",
    /\b(?:expected[- ]fail(?:ure)?|known[- ]fail(?:ure|ing))\b|\bmark(?:ed)?\b[^.;\n]{0,30}\b(?:xfail|flaky|expected to fail)\b/i,
  ],
  [
    "soften",
    new RegExp(
      `\\b(?:relax|soften|loosen|weaken|lower|water down|be more lenient)\\w*\\b[^.;\\n]{0,40}\\b(?:${CHECK}|thresholds?|tolerances?|criteria|expectations?)\\b`,
      "i",
    ),
  ],
  [
    "adjust",
    /\b(?:adjust|tweak|tune|amend|rework)(?:s|ed|ing)?\b[^.;\n]{0,30}\b(?:tests?|test cases?|checks?|assert(?:ion)?s?|gates?|suites?|expectations?|snapshots?)\b/i,
  ],
  [
    "fix or skip",
    /\bfix(?:es|ed|ing)?\b[^.;\n]{0,30}\b(?:or|vs\.?|versus|\/)\b[^.;\n]{0,30}\b(?:skip|ignore|disable|work(?:ing)? ?-?around|accept|adjust|loosen|relax)\w*/i,
  ],
  [
    "soften",
    new RegExp(
      `\\b(?:rais|increas|widen|enlarg|bump|doubl)(?:e|es|ed|ing|s)?${UP_TO} (?:(?:tolerances?|margins?|epsilons?|deltas?)\\b[^.;\\n]{0,30}\\b${CHECK}|${CHECK} (?:tolerances?|margins?|epsilons?|deltas?))\\b`,
      "i",
    ),
  ],
  [
    "too strict",
    new RegExp(
      `\\b${CHECK}\\b[^.;\\n]{0,40}\\b(?:too strict|over-?strict|too tight|needs? (?:adjusting|adjustment|updating to (?:pass|match)))\\b`,
      "i",
    ),
  ],
  [
    "too strict",
    new RegExp(
      `\\b(?:adjust|change|update|rewrite|edit|modify)(?:s|d|ed|ing)?${UP_TO} (?:${CHECK}|${EXPECTED})\\b[^.;\\n]{0,30}\\b(?:to pass|to (?:make|get|let|have) (?:it|them|the \\w+|CI) (?:pass|green)|(?:so|until) (?:that )?(?:it|they|the \\w+|CI) (?:pass(?:es)?|(?:is|are|goes|turns?) green)|instead)\\b`,
      "i",
    ),
  ],
  [
    "allow-list",
    /\b(?:or|alternatively)\b[^.;\n]{0,60}\b(?:allow-?list|compat(?:ibility)? (?:list|shim)|fallback path)\b/i,
  ],
];
