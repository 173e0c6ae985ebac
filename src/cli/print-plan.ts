import { explain } from "../core/explain.ts";
import { type Arrangement, type PanePlan, planPanes } from "../core/layout.ts";
import type { Placement } from "../core/naming.ts";
import type { SessionPlan } from "../core/plan-session.ts";
import type { Run } from "../core/run.ts";
import { type Io, printJson } from "./command.ts";

interface Shown extends SessionPlan {
  readonly session: string;
  readonly placement: Placement;
  readonly arrangement: Arrangement | null;
  readonly supervisor: Run | null;
}

/** What `start` would do, for people or in the documented shape. */
export function printPlan(io: Io, plan: Shown, json: boolean): void {
  const { session, placement, arrangement, runs, supervisor, problems } = plan;
  const shown = runs.map(({ agent, branch }) => ({ id: agent, branch }));
  const panes = arrangement === null ? [] : planPanes(arrangement, shown);
  if (json) {
    const agents = runs.map(({ branch, agent, cli, worktree, ours, brief }) => ({
      branch,
      id: agent,
      cli: cli.name,
      worktree,
      creates: ours,
      brief: { bytes: Buffer.byteLength(brief), from: "boot block and task" },
    }));
    const found = problems.map((problem) => ({ kind: problem.kind, ...explain(problem) }));
    const model = supervisor && { cli: supervisor.cli.name, brief: { bytes: Buffer.byteLength(supervisor.brief) } };
    const shape = { session, mode: "session", placement, supervisor: model, agents, panes: panes.map(drawPane) };
    return printJson(io, { ...shape, problems: found });
  }
  io.out(
    `${session}: ${runs.length} ${runs.length === 1 ? "agent" : "agents"}, ${arrangement === null ? "headless" : "in tmux"}\n`,
  );
  if (supervisor !== null) io.out(`  supervisor → ${supervisor.cli.name}  ${supervisor.worktree}  (pane 0)\n`);
  for (const { agent, branch, cli, worktree, ours } of runs) {
    const marks = [
      ours.branch ? "new branch" : "existing branch",
      ours.worktree ? "new worktree" : "existing worktree",
    ];
    io.out(`  ${agent}  ${branch} → ${cli.name || "?"}  ${worktree}  (${marks.join(", ")})\n`);
  }
}

const drawPane = ({ agent, ...pane }: PanePlan) => ({ ...pane, ...(agent !== null && { agent }) });
