import colors from "picocolors";
import type { LandingPlan, LandingView } from "../../core/landing/view.ts";
import { counted } from "../../core/text/counted.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { renderFindings } from "./render-gates.ts";

/** The order as a small graph: what is needed stands above what needs it. */
export function renderLandingPlan(plan: LandingPlan): string {
  const { order, waiting, cycles, predicted, asks, redTogether, target, base, gates, expectedRuns } = plan;
  const depth = depthsOf(order);
  const lines = [
    `${colors.bold(target)} ${colors.dim(base.slice(0, 12))}  (${plan.strategy})`,
    ...order.map(({ branch, because }, i) => {
      const level = depth.get(branch) ?? 0;
      const last = i === order.length - 1;
      const edge = `${"   ".repeat(level)}${last ? "└─" : "├─"}`;
      return `${edge} ${i + 1}. ${onOneLine(branch)}  ${colors.dim(because)}`;
    }),
    ...(order.length === 0 ? ["nothing would land"] : []),
    ...waiting.map(({ branch, because }) => `${colors.yellow("waits")} ${onOneLine(branch)}: ${onOneLine(because)}`),
    ...cycles.map((cycle) => colors.yellow(`cycle: ${[...cycle, cycle[0]].join(" → ")}`)),
    ...predicted.map(([a, b]) => `${colors.yellow("may conflict")}: ${a} and ${b}`),
    ...asks.map(({ branch, because }) => `${colors.yellow("asks you")} ${onOneLine(branch)}: ${onOneLine(because)}`),
    ...redTogether.map((branches) => `${colors.red("red together")}: ${branches.join(" and ")}`),
    colors.dim(
      gates.length === 0
        ? "no gates: nothing is tested"
        : `gates: ${gates.map(({ gate }) => gate).join(", ")}; at most ${counted(expectedRuns, "run")} if nothing is red`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function depthsOf(order: LandingPlan["order"]): Map<string, number> {
  const depth = new Map<string, number>();
  for (const { branch, needs } of order)
    depth.set(branch, Math.max(0, ...needs.map((need) => (depth.get(need) ?? -1) + 1)));
  return depth;
}

/** What has come of it so far: landed, sent back, waiting. */
export function renderLanding(view: LandingView): string {
  const lines = [
    ...view.landed.map(
      ({ branch, to, flaky }) =>
        `${colors.green("landed")}   ${onOneLine(branch)} as ${to.slice(0, 12)}${flaky ? colors.yellow(" (its gates are flaky)") : ""}`,
    ),
    ...view.bounced.flatMap(({ branch, because, findings }) => [
      `${colors.red("bounced")}  ${onOneLine(branch)}: ${onOneLine(because)}`,
      ...renderFindings(findings),
    ]),
    ...view.skipped.map(
      ({ branch, because }) => `${colors.dim("skipped")}  ${onOneLine(branch)}: ${onOneLine(because)}`,
    ),
    ...view.waiting.map(
      ({ branch, because }) => `${colors.yellow("waits")}    ${onOneLine(branch)}: ${onOneLine(because)}`,
    ),
  ];
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
