import { type Finding, findingKey } from "../messages/finding.ts";
import { findCheats } from "./find-cheats.ts";
import { findRefusals } from "./find-refusals.ts";
import { type GateResult, TROUBLES } from "./gate-result.ts";
import { type Gate, groupOf } from "./gates.ts";
import { type Review, reviewFindings } from "./governance/review.ts";
import type { Inspection } from "./inspection.ts";
import type { FailedTest } from "./results/results.ts";
import { type Verdict, worst } from "./verdict.ts";

/** What is known of a branch: its tree's gates, those of the base, and what it changes. */
export interface Evidence {
  readonly results: readonly GateResult[];
  /** Empty while the base has not been run: then a failure may be the base's own. */
  readonly base: readonly GateResult[];
  /** Null where its changes are looked at elsewhere. */
  readonly inspection: Inspection | null;
  /** Findings that a person has accepted, by `findingKey`. */
  readonly accepted: readonly string[];
  /** And those that a person will not have. */
  readonly refused: readonly string[];
  /** Null where nothing but gates decides. */
  readonly review?: Review | null;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What only a person can settle, and has not. */
  readonly open: readonly Finding[];
  /** Why it waits, where it does; null where it does not. */
  readonly because: string | null;
}

/** One verdict over a branch. What is the base's fault, or nobody's, makes it wait; it never passes by that. */
export function judge(evidence: Evidence): Judgement {
  const red = evidence.results.filter(({ verdict }) => verdict === "fail").map((result) => judgeRed(result, evidence));
  const cheats = evidence.inspection === null ? [] : findCheats(evidence.inspection);
  const refusals = evidence.inspection === null ? [] : findRefusals(evidence.inspection);
  const fewer = fewerTests(evidence);
  const reviewed = evidence.review ? reviewFindings(evidence.review) : { failed: [], open: [] };
  const toAccept = [...cheats, ...fewer, ...reviewed.open];
  const isIn = (list: readonly string[]) => (finding: Finding) => list.includes(findingKey(finding));
  const refused = toAccept.filter(isIn(evidence.refused));
  const open = toAccept.filter((finding) => !isIn([...evidence.accepted, ...evidence.refused])(finding));
  const waits = red.find(({ because }) => because !== null)?.because ?? null;
  const verdict = worst([
    ...evidence.results.map(({ verdict }) => verdict).filter((each) => each === "pass"),
    ...red.map((each) => each.verdict),
    ...(reviewed.failed.length > 0 || refused.length > 0 || refusals.length > 0 ? (["fail"] as const) : []),
    ...(open.length > 0 ? (["waiting"] as const) : []),
  ]);
  return {
    verdict,
    findings: [...red.flatMap(({ findings }) => findings), ...refusals, ...reviewed.failed, ...toAccept],
    open,
    because: verdict !== "waiting" ? null : (waits ?? "a person has to accept it (`banksman questions`)"),
  };
}

interface Red {
  readonly verdict: "fail" | "waiting";
  readonly findings: readonly Finding[];
  readonly because: string | null;
}

function judgeRed(result: GateResult, { base, inspection }: Evidence): Red {
  const onBase = base.find(({ gate }) => gate === result.gate) ?? null;
  if (result.trouble !== null && onBase?.verdict !== "pass") return environment(result, onBase);
  if (onBase?.verdict === "fail") return redBase(result, onBase);
  return { verdict: "fail", findings: findingsOf(result, result.failures, onBase, inspection), because: null };
}

/** Nobody can tell: the base has the same trouble, or was not run. */
function environment({ gate, trouble, tail }: GateResult, base: GateResult | null): Red {
  const why = `${commandName(gate)} ${TROUBLES[trouble ?? "set-up"]}`;
  const because = base === null ? why : `${why}, on the base as well`;
  const finding: Finding = { tag: groupOf(gate), kind: "environment", gate, message: because, lines: tail };
  return { verdict: "waiting", findings: [finding], because };
}

/** The base is red, too. Only what the branch adds to that is its own. */
function redBase(result: GateResult, base: GateResult): Red {
  const known = new Set(base.failures.map(nameOf));
  const own = result.failures.filter((failure) => !known.has(nameOf(failure)));
  if (own.length > 0 && base.failures.length > 0)
    return {
      verdict: "fail",
      findings: own.map((each) => asFinding(result.gate, each, "red", "testing")),
      because: null,
    };
  const named = base.failures.map(({ name }) => name).slice(0, 5);
  const because = `the base itself fails: ${named.length > 0 ? named.join(", ") : commandName(result.gate)}`;
  const { gate } = result;
  const finding: Finding = { tag: groupOf(gate), kind: "environment", gate, message: because };
  return { verdict: "waiting", findings: [finding], because };
}

function findingsOf(
  result: GateResult,
  failures: readonly FailedTest[],
  base: GateResult | null,
  inspection: Inspection | null,
): Finding[] {
  const { gate, code, changed, tail, trouble } = result;
  const tag = groupOf(gate);
  if (changed.length > 0 && code === 0)
    return [
      {
        tag,
        kind: "red",
        gate,
        message: `${commandName(gate)} changes tracked files: what was tested is not what would land`,
        file: changed[0] as string,
        lines: changed,
      },
    ];
  if (failures.length > 0) {
    const touched = new Set(inspection?.changes.map(({ path }) => path) ?? []);
    return failures.map((failure) => {
      // A test that the branch did not touch, and that passes on the base: the branch has broken it.
      const broken = base?.verdict === "pass" && failure.file !== undefined && !touched.has(failure.file);
      return asFinding(gate, failure, broken ? "regression" : "red", broken ? "regression" : tag);
    });
  }
  const why = trouble === null ? `fails with exit code ${code ?? "unknown"}` : TROUBLES[trouble];
  return [{ tag, kind: "red", gate, message: `${commandName(gate)} ${why}`, lines: tail }];
}

const asFinding = (
  gate: Gate,
  { name, file, line, lines }: FailedTest,
  kind: Finding["kind"],
  tag: Finding["tag"],
) => ({
  tag,
  kind,
  gate,
  message: gate === "test" ? `${name} fails` : `${commandName(gate)}: ${name}`,
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
  lines,
});

/** Fewer tests than the base has, while nothing in the branch says which: they are not run any more. */
function fewerTests({ results, base }: Evidence): Finding[] {
  return results.flatMap(({ gate, counts, verdict }): Finding[] => {
    // One that fails is told by that: it may have ended before its last test.
    if (verdict === "fail") return [];
    const before = base.find((each) => each.gate === gate)?.counts ?? null;
    if (before === null || before.tests === 0) return [];
    const now = counts === null ? null : counts.tests - counts.skipped;
    const then = before.tests - before.skipped;
    if (now !== null && now >= then) return [];
    const message =
      now === null
        ? `no longer says how many tests it runs; the base runs ${then}`
        : `runs ${now} tests; the base runs ${then}`;
    return [{ tag: "regression", kind: "cheat", gate, message: `${commandName(gate)} ${message}` }];
  });
}

const nameOf = ({ name, file }: FailedTest): string => `${file ?? ""}\n${name}`;

const commandName = (gate: Gate): string => `${gate}_command`;
