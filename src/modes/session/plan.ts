import { pickTask, withoutTask } from "../../core/actions/pick-task.ts";
import type { Briefs, Owned } from "../../core/actions/session-actions.ts";
import type { Assignment, NewAssignment } from "../../core/agents/assignment.ts";
import { ALONE, COORDINATION, writeBrief } from "../../core/agents/brief.ts";
import { paneProblem } from "../../core/agents/fits-pane.ts";
import { SUPERVISION, writeSupervisorBrief } from "../../core/agents/supervisor-brief.ts";
import type { Cli } from "../../core/clis/cli.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { constitutionPart } from "../../core/session/constitution.ts";
import { planSession, type RepositoryFacts, type SessionPlan } from "../../core/session/plan-session.ts";
import { planSupervisor } from "../../core/session/plan-supervisor.ts";
import { resolveCli, type SessionSettings } from "../../core/session/settings.ts";
import type { AgentId, Branch } from "../../core/text/ids.ts";
import type { Placement } from "../../core/text/naming.ts";
import type { Ports } from "../../ports/ports.ts";
import { findCli } from "./find-cli.ts";
import { findSkill } from "./find-skill.ts";
import { readConstitution } from "./read-constitution.ts";

export interface Planning {
  readonly ports: Pick<Ports, "git" | "files" | "agents">;
  readonly root: string;
  readonly project: string;
  readonly session: string;
  readonly settings: SessionSettings;
}

export interface Wanted {
  readonly branches: readonly string[];
  readonly cli: string | null;
  /** For some branches another one. */
  readonly clis?: Readonly<Record<string, string>>;
  readonly briefs: Briefs;
  readonly owned?: Owned;
  /** In panes of tmux. */
  readonly terminal: boolean;
  /** With a supervisor in pane 0. */
  readonly supervised?: boolean;
  readonly rebase?: boolean;
  readonly present: readonly Assignment[];
}

export interface Planned extends SessionPlan {
  /** The model in pane 0, where there is to be one. */
  readonly supervisor: NewAssignment | null;
  readonly base: Branch;
}

/** Looks at the repository and the CLI, and plans. Changes nothing: `--dry-run` is this and no more. */
export async function plan(planning: Planning, wanted: Wanted): Promise<Planned> {
  const { settings, session } = planning;
  const repository = await observeRepository(planning, settings.placement);
  const places = { files: planning.ports.files, root: planning.root, settings };
  const skill = settings.broker ? await findSkill(places, COORDINATION) : ALONE;
  const constitution = await readConstitution(planning.ports.files, planning.root, settings);
  const beside = constitution?.text ? constitutionPart(constitution.path, constitution.text) : null;
  const request = {
    session,
    branches: wanted.branches,
    placement: settings.placement,
    setUp: settings.setUp,
    portBase: settings.portBase,
    terminal: wanted.terminal,
    rebase: wanted.rebase === true,
    cli: await cliFor(planning, wanted),
    brief: (agent: AgentId, branch: Branch) =>
      writeBrief(skill, {
        agent,
        branch,
        project: planning.project,
        task: pickTask(wanted.briefs, { agent, branch }),
        beside,
        commands: settings.commands,
      }),
    owned: (branch: Branch) => (Object.hasOwn(wanted.owned ?? {}, branch) ? (wanted.owned?.[branch] ?? []) : []),
    present: wanted.present,
  };
  const base = repository.head.branch;
  const { assignments, problems } = planSession(request, repository);
  const planned = { assignments, problems: [...problems, ...withoutTask(wanted.briefs, assignments)] };
  if (wanted.supervised !== true || settings.supervisor.cli === null) return { ...planned, supervisor: null, base };
  const supervisor = await planModel(planning, base, planned.assignments);
  return supervisor !== null && "kind" in supervisor
    ? { ...planned, problems: [...planned.problems, supervisor], supervisor: null, base }
    : { ...planned, supervisor, base };
}

/** The model in pane 0, for these agents; null where the console is there instead. */
export async function planModel(
  planning: Planning,
  base: Branch,
  assignments: readonly Pick<Assignment, "agent" | "branch" | "cli">[],
): Promise<NewAssignment | Failure | null> {
  const { settings, session, root, project } = planning;
  if (settings.supervisor.cli === null) return null;
  const cli = await findCli(planning.ports.agents, root, resolveCli(settings, settings.supervisor.cli));
  if ("kind" in cli) return cli;
  const problem = paneProblem(cli);
  if (problem !== null) return problem;
  const supervision = await findSkill({ files: planning.ports.files, root, settings }, SUPERVISION);
  const agents = assignments.map(({ agent, branch, cli: { name } }) => ({ agent, branch, cli: name }));
  const brief = writeSupervisorBrief(supervision, { project, base, agents, commands: settings.commands });
  return planSupervisor({ session, root, base, cli, brief });
}

async function observeRepository({ ports, root }: Planning, placement: Placement): Promise<RepositoryFacts> {
  const { git, files } = ports;
  const [head, branches, remoteBranches, worktrees, programs] = await Promise.all([
    git.head(),
    git.branches(),
    git.remoteBranches(),
    git.worktrees(),
    git.programs(),
  ]);
  const folder = placement === "child" ? `${root}/.banksman/worktrees` : root.slice(0, root.lastIndexOf("/"));
  const occupied = new Set((await files.list(folder)).map((name) => `${folder}/${name}`));
  // A merge driver that does not run is replaced by git's own merge; a filter cannot be replaced.
  const untrusted = programs.filter(({ key, trusted }) => !trusted && !key.startsWith("merge.")).map(({ key }) => key);
  const sound = worktrees.filter(({ missing, broken }) => !missing && !broken);
  return { root, head, branches, remoteBranches, worktrees: sound, occupied, untrustedFilters: untrusted };
}

/** Each CLI is looked for once. */
async function cliFor({ ports, root, settings }: Planning, { branches, cli, clis = {} }: Wanted) {
  const named = (branch: string) => (Object.hasOwn(clis, branch) ? (clis[branch] ?? cli) : cli);
  const names = new Set([cli, ...branches.map(named)]);
  const found = new Map<string | null, Cli | Failure>();
  for (const name of names) found.set(name, await findCli(ports.agents, root, resolveCli(settings, name)));
  return (branch: string) => found.get(named(branch)) ?? { kind: "cli.none" as const };
}
