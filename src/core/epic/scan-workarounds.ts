/** A passage that routes around a failing check instead of mending what fails. */
export interface Workaround {
  readonly rule: string;
  readonly passage: string;
}

/**
 * Looks for prose that makes a failing check into something to skip, soften or excuse: any check, a test, an audit, a
 * citation. Quoted rules (in quotes, block quotes, code) and sentences that forbid it are not hits.
 */
export function scanWorkarounds(text: string): Workaround[] {
  const prose = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, " ")
    .replaceAll(/^\s*>.*$/gm, " ")
    .replaceAll(/`[^`\n]*`|"[^"\n]{0,400}"|“[^”\n]{0,400}”|«[^»\n]{0,400}»/g, " ");
  return sentencesOf(prose).flatMap((sentence) => {
    if (FORBIDS.test(sentence)) return [];
    const [rule] = RULES.find(([, pattern]) => pattern.test(sentence)) ?? [];
    return rule === undefined ? [] : [{ rule, passage: sentence.trim().slice(0, 200) }];
  });
}

const sentencesOf = (text: string): string[] => text.slice(0, 200_000).split(/(?<=[.!?])\s+|\n+/);

/** Somebody says that it must not be done. */
const FORBIDS =
  /\b(?:never|not|without|no longer|must not|do(?:es)? not|don't|cannot|instead of|rather than|forbid\w*|prohibit\w*|refus\w*)\b[^.;]{0,60}\b(?:skip\w*|xfail\w*|disabl\w*|ignor\w*|relax\w*|loosen\w*|soften\w*|weaken\w*|adjust\w*|work(?:ing)?[- ]?around\w*|allow-?list\w*|mut(?:e|ing)\w*|drift|strict)\b/i;

const CHECK =
  "(?:tests?|checks?|assert(?:ion)?s?|gates?|audits?|lints?|citations?|specs?|suites?|verifications?|reviews?|cases?)";

const RULES: readonly (readonly [string, RegExp])[] = [
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
    "marker",
    /@(?:unittest\.)?skip\b|\bpytest\.(?:mark\.)?(?:skip|xfail)|\b(?:it|test|describe)\.(?:skip|todo|failing)\b|#\[ignore\]|\bt\.Skip\b|@Disabled\b|--no-verify\b/,
  ],
  [
    "fix or skip",
    /\bfix(?:es|ed|ing)?\b[^.;\n]{0,30}\b(?:or|vs\.?|versus|\/)\b[^.;\n]{0,30}\b(?:skip|ignore|disable|work(?:ing)? ?-?around|accept|adjust|loosen|relax)\w*/i,
  ],
  [
    "too strict",
    new RegExp(
      `\\b${CHECK}\\b[^.;\\n]{0,40}\\b(?:too strict|over-?strict|too tight|needs? (?:adjusting|adjustment|updating to (?:pass|match)))\\b|\\b(?:adjust|change|update|rewrite)\\b[^.;\\n]{0,30}\\b${CHECK}\\b[^.;\\n]{0,30}\\b(?:to pass|so (?:that )?(?:it|they) pass|instead)\\b`,
      "i",
    ),
  ],
  [
    "allow-list",
    /\b(?:or|alternatively)\b[^.;\n]{0,60}\b(?:allow-?list|compat(?:ibility)? (?:list|shim)|fallback path)\b/i,
  ],
];
