import type { Explanation } from "../failure/explain/words.ts";
import { explain } from "../failure/explain.ts";
import type { Finding } from "../messages/finding.ts";
import type { LaneReader } from "../record/lane.ts";
import type { AgentId } from "../text/ids.ts";
import { type Check, checkLane, isEnded, isFlaky } from "./check.ts";
import { needsReview } from "./gate-plan.ts";
import type { GateResult } from "./gate-result.ts";
import { GATES, type Gate, type Group, groupOf, NOT_CONFIGURED } from "./gates.ts";
import { reviewFindings } from "./governance/review.ts";
import type { Counts } from "./results/results.ts";
import type { Verdict } from "./verdict.ts";
import { type Judged, UNAIMED, type Verification, verificationLane } from "./verification.ts";

/** `verify --json`: what is known of one branch. Fields may be added, never renamed. */
export interface VerificationView {
  readonly ref: string;
  readonly agent: AgentId | null;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly base: { readonly branch: string; readonly commit: string | null };
  readonly verdict: Verdict;
  /** Why it waits. */
  readonly because: string | null;
  readonly failure?: Explanation;
  readonly gates: readonly GateView[];
  /** All of them, those of the gates as well. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** Nothing had to be run for it. */
  readonly cached: boolean;
  readonly attempts: number;
  readonly flaky: boolean;
  readonly setUp: Check["setUp"];
}

export interface GateView {
  readonly name: Gate | "changes" | "governance";
  readonly group: Group;
  readonly command: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly findings: readonly Finding[];
  readonly counts?: Counts;
  readonly log: string | null;
  /** While it runs: the last line it printed. */
  readonly line?: string;
  /** What the base runs before it. */
  readonly on?: "base";
}

/** What only a running supervisor knows: which gate runs, for how long, and what it says. */
export interface Live {
  runs(check: Check["key"]): { readonly gate: Gate; readonly seconds: number; readonly line: string } | null;
  log(check: Check, gate: Gate): string;
}

export function viewVerification(reader: LaneReader, name: string, live: Live): VerificationView | null {
  const state = reader.state(verificationLane(name));
  if (state === null) return null;
  const { prepared, wanted } = state;
  const own = prepared === null ? null : reader.state(checkLane(prepared.own));
  const base = prepared === null ? null : reader.state(checkLane(prepared.onBase));
  const judged = state.judged;
  const aimed = wanted !== null && wanted.commit !== UNAIMED ? wanted : null;
  const findings = judged?.findings ?? [];
  return {
    ref: state.ref,
    agent: state.agent,
    commit: aimed?.commit ?? state.previous?.commit ?? null,
    tree: own?.tree ?? null,
    base: { branch: state.base, commit: aimed?.base ?? null },
    verdict: judged?.verdict ?? "running",
    because: judged?.because ?? (own === null && base === null ? null : waitsFor(own, base, live)),
    ...(judged?.failure && { failure: explain(judged.failure) }),
    gates:
      own === null ? [] : [...gatesOf(own, base, findings, live), changesOf(state, judged), ...governanceOf(state)],
    findings,
    notes: [...(prepared?.notes ?? []), ...(state.review === null ? [] : reviewFindings(state.review).notes)],
    cached: own !== null && wanted !== null && own.endedAt !== null && own.endedAt < wanted.at,
    attempts: (own?.earlier.length ?? 0) + 1,
    flaky: own !== null && isFlaky(own),
    setUp: own?.setUp ?? null,
  };
}

/** While it is looked at: what happens now. */
function waitsFor(own: Check | null, base: Check | null, live: Live): string | null {
  for (const [check, whose] of [
    [base, "the base"],
    [own, "the branch"],
  ] as const) {
    const running = check === null ? null : live.runs(check.key);
    if (running !== null) return `${running.gate} runs on ${whose}`;
  }
  return own !== null && !isEnded(own) ? "it waits for a free slot" : null;
}

function gatesOf(own: Check, base: Check | null, findings: readonly Finding[], live: Live): GateView[] {
  return GATES.map((gate): GateView => {
    const command = own.plan.commands.find((each) => each.gate === gate)?.command;
    const result = own.results.find((each) => each.gate === gate);
    const running = live.runs(own.key);
    const onBase = base === null ? null : live.runs(base.key);
    const now = running?.gate === gate ? running : onBase?.gate === gate && result === undefined ? onBase : null;
    return {
      name: gate,
      group: groupOf(gate),
      command: command ?? NOT_CONFIGURED,
      verdict: command === undefined || !own.gates.includes(gate) ? "skipped" : verdictOf(result, own),
      seconds: now?.seconds ?? result?.seconds ?? 0,
      findings: findings.filter((finding) => finding.gate === gate),
      ...(result?.counts && { counts: result.counts }),
      log: result === undefined && now === null ? null : live.log(own, gate),
      ...(now !== null && { line: now.line, ...(now === onBase && { on: "base" as const }) }),
    };
  });
}

/** One that was not run because another had failed before says nothing. */
const verdictOf = (result: GateResult | undefined, own: Check): Verdict =>
  result?.verdict ?? (isEnded(own) ? "waiting" : "running");

/** What it is held against besides its gates, where there is anything. */
function governanceOf({ prepared, review }: Verification): GateView[] {
  if (prepared === null || !needsReview(prepared.plan)) return [];
  const { failed, open } = review === null ? { failed: [], open: [] } : reviewFindings(review);
  const of = (verdict: string) => review?.items.filter((item) => item.verdict === verdict).length ?? 0;
  const reviewer = review?.reviewer === "none" ? " (no reviewer)" : "";
  return [
    {
      name: "governance",
      group: "doc audit",
      command:
        review === null
          ? "documents"
          : `${of("met")} met, ${of("not met")} not met, ${of("unknown")} not judged${reviewer}`,
      verdict: review === null ? "running" : failed.length > 0 ? "fail" : open.length > 0 ? "waiting" : "pass",
      seconds: 0,
      findings: [...failed, ...open],
      log: null,
    },
  ];
}

/** What the branch changes of what decides over it. */
function changesOf({ prepared }: Verification, judged: Judged | null): GateView {
  const findings = (judged?.findings ?? []).filter(({ gate, kind }) => gate === undefined && kind !== "review");
  const waits = judged !== null && judged.verdict !== "pass" && findings.length > 0;
  return {
    name: "changes",
    group: "regression",
    command: "compared with the base",
    verdict: prepared === null || judged === null ? "running" : waits ? "waiting" : "pass",
    seconds: 0,
    findings,
    log: null,
  };
}
