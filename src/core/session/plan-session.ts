import type { Assignment, NewAssignment } from "../agents/assignment.ts";
import { paneProblem } from "../agents/fits-pane.ts";
import type { Cli } from "../clis/cli.ts";
import type { Failure } from "../failure/failure.ts";
import type { AgentId, Branch, Commit } from "../text/ids.ts";
import { nameAgents, type Placement, worktreePath } from "../text/naming.ts";
import type { SetUp } from "../worktrees/set-up.ts";
import { branchProblem } from "./branch-name.ts";

/** The repository as it was found, read once before planning. */
export interface RepositoryFacts {
  readonly root: string;
  readonly head: { readonly branch: Branch; readonly commit: Commit };
  readonly branches: ReadonlyMap<Branch, Commit>;
  /** Remote branches by their short name (`feat/a` for `origin/feat/a`). */
  readonly remoteBranches: ReadonlyMap<Branch, Commit>;
  readonly worktrees: readonly { readonly path: string; readonly branch: Branch | null; readonly main: boolean }[];
  /** Paths that exist where worktrees would go, worktrees of ours or not. */
  readonly occupied: ReadonlySet<string>;
  /** Filters of the repository's own git config that its user has not trusted, by key. */
  readonly untrustedFilters: readonly string[];
}

export interface PlanRequest {
  readonly session: string;
  readonly branches: readonly string[];
  readonly placement: Placement;
  readonly setUp: Omit<SetUp, "rebase">;
  readonly portBase: number | null;
  readonly terminal: boolean;
  readonly rebase: boolean;
  /** The CLI for a branch, or why there is none. */
  readonly cli: (branch: Branch) => Cli | Failure;
  readonly brief: (agent: AgentId, branch: Branch) => string;
  /** What belongs to a branch alone. */
  readonly owned?: (branch: Branch) => readonly string[];
  /** Agents that are here already. */
  readonly present: readonly Pick<Assignment, "agent" | "branch" | "port" | "position">[];
}

export interface SessionPlan {
  readonly assignments: readonly NewAssignment[];
  readonly problems: readonly Failure[];
}

/** Branches in, runs out: plain data, the same for `--dry-run` and for the real thing. With problems nothing is made. */
export function planSession(request: PlanRequest, repository: RepositoryFacts): SessionPlan {
  const asked = [...new Set(request.branches)] as Branch[];
  const problems = [
    ...asked.flatMap((branch) => branchProblems(branch, asked, request, repository)),
    ...cliProblems(asked, request),
  ];
  if (asked.length === 0) problems.push({ kind: "branch.none" });
  const { untrustedFilters: keys } = repository;
  if (keys.length > 0) problems.push({ kind: "repository.filters", keys });
  const sound = asked.filter((branch) => branchProblem(branch) === null);
  const names = nameAgents(sound, new Map(request.present.map(({ agent, branch }) => [agent, branch])));
  const ports = freePorts(request);
  const first = Math.max(-1, ...request.present.map(({ position }) => position)) + 1;
  const assignments = sound.map((branch, i) => {
    const seat = { agent: names.get(branch) as AgentId, position: first + i, port: ports.next().value ?? null };
    return planRun(branch, seat, request, repository);
  });
  problems.push(...assignments.flatMap((run) => occupied(run, repository)));
  return { assignments, problems };
}

type Seat = Pick<NewAssignment, "agent" | "position" | "port">;

function planRun(branch: Branch, seat: Seat, request: PlanRequest, repository: RepositoryFacts): NewAssignment {
  const existing = repository.worktrees.find((worktree) => worktree.branch === branch && !worktree.main);
  const born = !repository.branches.has(branch);
  const cli = request.cli(branch);
  return {
    ...seat,
    branch,
    cli: "kind" in cli ? NO_CLI : cli,
    session: request.session,
    worktree: existing?.path ?? worktreePath(request.placement, repository.root, seat.agent),
    from: born ? (repository.remoteBranches.get(branch) ?? repository.head.commit) : null,
    ours: { branch: born, worktree: existing === undefined },
    setUp: {
      ...request.setUp,
      ...(existing !== undefined && { copy: [], symlink: [], command: null }),
      rebase: request.rebase && !born ? repository.head.branch : null,
    },
    brief: request.brief(seat.agent, branch),
    terminal: request.terminal,
    owned: request.owned?.(branch) ?? [],
    log: `${repository.root}/.banksman/logs/${request.session}/${seat.agent}.log`,
  };
}

/** Stands in a plan whose CLI is among its problems; such a plan is shown, never carried out. */
const NO_CLI: Cli = { name: "", argv: [], protocol: "plain", env: [], resumeArgs: [] };

function branchProblems(
  branch: Branch,
  asked: readonly Branch[],
  { present }: PlanRequest,
  repository: RepositoryFacts,
): Failure[] {
  const why = branchProblem(branch);
  if (why !== null) return [{ kind: "branch.invalid", branch, why }];
  const agent = present.find((each) => each.branch === branch)?.agent;
  if (agent !== undefined) return [{ kind: "branch.in-session", branch, agent }];
  const main = repository.worktrees.find((worktree) => worktree.branch === branch && worktree.main);
  if (main !== undefined) return [{ kind: "branch.checked-out", branch, path: main.path }];
  if (repository.branches.has(branch)) return [];
  const other = [...repository.branches.keys(), ...asked].find((each) => nested(each, branch));
  return other === undefined ? [] : [{ kind: "branch.clash", branch, other }];
}

/** Git keeps branches as files: `a` and `a/b` cannot both be there. */
const nested = (a: string, b: string) => a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/** Each once, however many branches have it. */
function cliProblems(asked: readonly Branch[], { cli, terminal }: PlanRequest): Failure[] {
  const found = (asked.length === 0 ? ["" as Branch] : asked).flatMap((branch) => {
    const each = cli(branch);
    return "kind" in each ? each : ((terminal ? paneProblem(each) : null) ?? []);
  });
  return [...new Map(found.map((failure) => [JSON.stringify(failure), failure])).values()];
}

function occupied(run: NewAssignment, { occupied, worktrees }: RepositoryFacts): Failure[] {
  const ours = worktrees.some(({ path }) => path === run.worktree);
  return run.ours.worktree && (ours || occupied.has(run.worktree))
    ? [{ kind: "worktree.occupied", path: run.worktree }]
    : [];
}

function* freePorts({ portBase, present }: PlanRequest): Generator<number> {
  if (portBase === null) return;
  const used = new Set(present.map(({ port }) => port));
  for (let port = portBase; port <= 65_535; port++) if (!used.has(port)) yield port;
}
