import type { NewAssignment } from "../../core/agents/assignment.ts";
import { explain } from "../../core/failure/explain.ts";
import { type Arrangement, type PanePlan, planPanes } from "../../core/session/layout.ts";
import type { SessionPlan } from "../../core/session/plan-session.ts";
import { counted } from "../../core/text/counted.ts";
import type { Placement } from "../../core/text/naming.ts";
import { type Io, printJson } from "../command.ts";

interface Shown extends SessionPlan {
  readonly session: string;
  readonly placement: Placement;
  readonly arrangement: Arrangement | null;
  readonly supervisor: NewAssignment | null;
}

/** What `start` would do, for people or in the documented shape. */
export function printPlan(io: Io, plan: Shown, json: boolean): void {
  const { session, placement, arrangement, assignments, supervisor, problems } = plan;
  const shown = assignments.map(({ agent, branch }) => ({ id: agent, branch }));
  const panes = arrangement === null ? [] : planPanes(arrangement, shown);
  if (json) {
    const agents = assignments.map(({ branch, agent, cli, worktree, ours, brief, setUp }) => ({
      branch,
      id: agent,
      cli: cli.name,
      worktree,
      creates: ours,
      rebase: setUp.rebase,
      brief: { bytes: Buffer.byteLength(brief), from: "boot block and task" },
    }));
    const found = problems.map((problem) => ({ kind: problem.kind, ...explain(problem) }));
    const model = supervisor && { cli: supervisor.cli.name, brief: { bytes: Buffer.byteLength(supervisor.brief) } };
    const shape = { session, mode: "session", placement, supervisor: model, agents, panes: panes.map(drawPane) };
    return printJson(io, { ...shape, problems: found });
  }
  const where = arrangement === null ? "session, headless" : "session in tmux";
  io.out(`${session}: ${where}, ${counted(assignments.length, "agent")}\n`);
  if (supervisor !== null) io.out(`  supervisor → ${supervisor.cli.name}  ${supervisor.worktree}  (pane 0)\n`);
  for (const { agent, branch, cli, worktree, ours, setUp } of assignments) {
    const marks = [
      ours.branch ? "new branch" : "existing branch",
      ours.worktree ? "new worktree" : "existing worktree",
      ...(setUp.rebase === null ? [] : [`rebased onto ${setUp.rebase} if clean and not pushed`]),
    ];
    io.out(`  ${agent}  ${branch} → ${cli.name || "?"}  ${worktree}  (${marks.join(", ")})\n`);
  }
  for (const window of new Set(panes.map((pane) => pane.window))) {
    const titles = panes.filter((pane) => pane.window === window).map(({ title }) => title);
    io.out(`  tmux window ${window}: ${titles.join(" · ")}\n`);
  }
}

const drawPane = ({ agent, ...pane }: PanePlan) => ({ ...pane, ...(agent !== null && { agent }) });
