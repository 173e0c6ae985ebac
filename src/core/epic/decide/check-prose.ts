import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { logged } from "./halt.ts";
import { scanWorkarounds, type Workaround, withoutMarkers } from "./scan-workarounds.ts";

/** What a role's text routes around, after what a person has allowed. */
export interface Checked {
  /** The first passage that nobody has allowed. */
  readonly hit: Workaround | null;
  /** The tests whose skipping a person has allowed, and that it skips. */
  readonly allowed: readonly string[];
}

/** Whether a text of a role may stand. Only a line `ALLOW SKIP:` that names the very test lets a passage pass. */
export function checkProse({ allowed: directives }: Pick<Epic, "allowed">, text: string): Checked {
  const tests = directives.map(testIn).filter((name) => name !== null);
  const allowed = new Set<string>();
  for (const hit of scanWorkarounds(text)) {
    const test = tests.find((name) => skipsOnly(hit, name));
    if (test === undefined) return { hit, allowed: [] };
    allowed.add(test);
  }
  return { hit: null, allowed: [...allowed] };
}

/** Notes in the log which directive was used. */
export const withAllowed = (epic: Epic, { allowed }: Checked, now: Instant): Epic =>
  allowed.reduce((is, test) => logged(is, `skipping ${test} is allowed by its owner (ALLOW SKIP)`, now), epic);

/** The name of the test: in backticks, or up to the reason. Null where that could be any test. */
function testIn(directive: string): string | null {
  const name = /^`([^`]+)`/.exec(directive)?.[1] ?? directive.split(/: | because | \(|, /)[0] ?? "";
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const says = words.filter((word) => word !== "" && !GENERAL.has(word));
  return says.join("").length < SHORTEST ? null : name.trim();
}

const SHORTEST = 4;
const GENERAL = new Set(
  "a all an and any case cases check checks each every failing flaky it of one or some spec specs suite test tests that the them this whole".split(
    " ",
  ),
);

const SKIPPING = new Set(["skip", "marker", "skip on environment", "expected failure"]);

/** Whether the passage skips this test, and routes around nothing else. */
function skipsOnly({ rule, passage }: Workaround, test: string): boolean {
  if (!SKIPPING.has(rule)) return false;
  const at = passage.toLowerCase().indexOf(test.toLowerCase());
  if (at < 0) return false;
  const before = passage.slice(0, at).replace(/(?:\bthe )?(?:\bfailing )?(?:\b(?:test|case|spec) )?$/i, "");
  const after = passage.slice(at + test.length).replace(/^ (?:test|case|spec)\b/i, "");
  return scanWorkarounds(withoutMarkers(`${before} ${after}`)).length === 0;
}
