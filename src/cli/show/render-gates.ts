import colors from "picocolors";
import type { GateView, VerificationView } from "../../core/gates/view.ts";
import { type Finding, inOneLine } from "../../core/messages/finding.ts";
import { onOneLine } from "../../core/text/printable.ts";

const MARKS: Readonly<Record<GateView["verdict"], string>> = {
  pass: colors.green("✓ pass"),
  fail: colors.red("✗ fail"),
  waiting: colors.yellow("? wait"),
  running: colors.cyan("… runs"),
  skipped: colors.dim("- skip"),
};

const MOST_FINDINGS = 10;
const MOST_LINES = 6;

/** A branch with its gates, its findings and what to do. */
export function renderVerification(view: VerificationView): string {
  const { ref, agent, commit, base, verdict, gates, notes, failure } = view;
  const name = agent ?? ref.replace(/^refs\/heads\//, "");
  const at = commit === null ? "" : ` at ${commit.slice(0, 12)}`;
  const onto = base.commit === null ? base.branch : `${base.branch} (${base.commit.slice(0, 12)})`;
  const lines = [
    `${colors.bold(name)}${at}, compared with ${onto}: ${MARKS[verdict]}${view.flaky ? " (flaky)" : ""}${view.cached ? colors.dim(" (known already)") : ""}`,
    ...gates.map(renderGate),
    ...notes.map((note) => colors.dim(`  note: ${onOneLine(note)}`)),
    ...(view.setUp?.warnings ?? []).map((warning) => colors.yellow(`  set-up: ${onOneLine(warning)}`)),
    ...renderFindings(view.findings),
    ...(failure === undefined ? [] : [failure.message, failure.hint]),
    ...(verdict === "waiting" && view.because !== null ? [`It waits: ${onOneLine(view.because)}.`] : []),
    ...logsOf(gates),
  ];
  return `${lines.join("\n")}\n`;
}

function renderGate({ name, command, verdict, seconds, counts, line }: GateView): string {
  const took = seconds > 0 ? `${seconds.toFixed(1)} s` : "";
  const tests =
    counts === undefined
      ? ""
      : `${counts.passed} passed${counts.failed > 0 ? `, ${counts.failed} failed` : ""}${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`;
  const said = line === undefined ? "" : colors.dim(onOneLine(line).slice(0, 60));
  const cells = [`  ${MARKS[verdict]}`, name.padEnd(14), took.padStart(8), tests, said, colors.dim(onOneLine(command))];
  return cells.filter((cell) => cell !== "").join("  ");
}

export function renderFindings(findings: readonly Finding[]): string[] {
  const shown = findings
    .slice(0, MOST_FINDINGS)
    .flatMap((finding) => [
      `  ${colors.red("•")} ${inOneLine(finding)}`,
      ...(finding.lines ?? []).slice(0, MOST_LINES).map((each) => colors.dim(`      ${onOneLine(each)}`)),
    ]);
  const more =
    findings.length > MOST_FINDINGS ? [`  and ${findings.length - MOST_FINDINGS} more (--json has all)`] : [];
  return [...shown, ...more];
}

const logsOf = (gates: readonly GateView[]): string[] =>
  gates
    .filter(({ verdict, log }) => verdict === "fail" && log !== null)
    .map(({ name, log }) => colors.dim(`  ${name}: ${log}`));

/** One line while it runs: which gate, how long, what it said last. */
export function renderRunning(view: VerificationView): string {
  const running = view.gates.find(({ line }) => line !== undefined);
  const name = view.agent ?? view.ref.replace(/^refs\/heads\//, "");
  if (running === undefined) return `${name}: ${view.because ?? "looking at it"}`;
  const where = running.on === "base" ? ` on ${view.base.branch}` : "";
  return `${name}: ${running.name}${where}, ${Math.floor(running.seconds)} s: ${onOneLine(running.line ?? "")}`;
}
