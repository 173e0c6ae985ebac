import type { Action } from "../../core/actions/actions.ts";
import type { NewAssignment } from "../../core/agents/assignment.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { IGNORE_FILE, IGNORED, LEFTOVERS, OWN_COPIES } from "../../core/clis/sidecar.ts";
import { followStanding } from "../../core/conflicts/decide-conflicts.ts";
import { Failed, oneOrSeveral } from "../../core/failure/failed.ts";
import { freshCursor } from "../../core/messages/cursors.ts";
import { newcomer } from "../../core/messages/roster.ts";
import type { LaneReader } from "../../core/record/lane.ts";
import {
  assignmentsOf,
  everyAssignment,
  sessionOf,
  supervisingAssignment,
  unclaimedSpecs,
} from "../../core/session/read-session.ts";
import {
  notInEffect,
  type Recovered,
  recoveredAs,
  SESSION_LANE,
  type Session,
  type Wishes,
} from "../../core/session/session.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import { type Instant, SUPERVISOR } from "../../core/text/ids.ts";
import { showComingUp } from "../../engine/agents/show-coming-up.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { Transaction } from "../../engine/journal/transaction.ts";
import { reviveRolePanes } from "../../engine/session/session-panes.ts";
import { type Planned, type Planning, plan, planModel } from "./plan.ts";
import { planStart, type StartAction, type StartPlan } from "./plan-start.ts";

export interface StartResult {
  /** `restart`: after a stop, or agents that had ended; `recover`: it was meant to run, and did not. */
  readonly did: "fresh" | "reattach" | "restart" | "recover" | "add";
  readonly agents: readonly string[];
  /** Keys of the repository's config that are not used because it is not trusted. */
  readonly ignored: readonly string[];
  /** Settings that the session follows only once it is stopped and started again. */
  readonly later: readonly string[];
  /** Agents whose CLI says nothing that we can read: only time tells whether it stays. */
  readonly plain: readonly string[];
}

type Starting = Pick<
  EngineContext,
  | "agents"
  | "arrange"
  | "clock"
  | "files"
  | "git"
  | "held"
  | "journal"
  | "place"
  | "processes"
  | "settings"
  | "tmux"
  | "wake"
>;

/** Fresh, reattach or recover: decided from what is here, recorded whole, and then carried out by the agents' lanes. */
export async function start(context: Starting, action: StartAction): Promise<StartResult | StartPlan> {
  const { journal } = context;
  const settings = await context.settings();
  const decided = await planStart(planningOf(context, settings), journal, action);
  if (action.dryRun) return decided;
  context.held = false;
  const { ignored } = settings;
  if (decided.do === "fresh") {
    const { planned } = decided;
    await prepare(context, settings, planned);
    if (planned.supervisor === null) await dismissSupervisor(context);
    const agents = await record(context, newSession(context, settings, action, planned), planned);
    return { did: "fresh", agents, ignored, later: [], plain: plainAmong(journal, agents) };
  }
  await keepHidden(context);
  const session = sessionOf(journal);
  const wishes = wishesOf(settings, action);
  const later = decided.do === "reattach" && session !== null ? notInEffect(session, wishes) : [];
  if (decided.do === "recover" && session !== null) {
    const as = recoveredAs(session, wishes);
    const supervisor = await changeSupervisor(context, settings, session, as);
    await recover(context, as, supervisor, action.again);
  }
  const revived = decided.do === "reattach" && action.again && (await startAgain(context));
  const agents = everyAssignment(journal).map(({ agent }) => agent);
  for (const agent of agents) context.wake(agentLane(agent).key);
  // Those that were quit: a session that goes on has all of its panes.
  if (decided.do === "reattach") await reviveRolePanes(context);
  const wasStopped = decided.do === "recover" && session?.status !== "active";
  const did = revived || wasStopped ? "restart" : decided.do;
  return { did, agents, ignored, later, plain: plainAmong(journal, agents) };
}

const plainAmong = (journal: LaneReader, agents: readonly string[]): string[] =>
  assignmentsOf(journal)
    .filter(({ agent, cli, terminal }) => agents.includes(agent) && cli.protocol === "plain" && !terminal)
    .map(({ agent }) => agent);

const wishesOf = (settings: SessionSettings, action: StartAction): Wishes => ({
  supervisor: action.supervisor,
  broker: settings.broker,
  nudge: settings.supervisor.nudge,
  conflict: settings.conflict,
  verify: settings.verify,
  land: settings.land,
  owned: action.owned,
});

/** Further agents for the session that is here. */
export async function add(context: Starting, action: Extract<Action, { type: "add" }>): Promise<StartResult> {
  const session = sessionOf(context.journal);
  if (session === null) throw new Failed({ kind: "session.none" });
  if (session.status !== "active") throw new Failed({ kind: "session.not-running" });
  const settings = await context.settings();
  const terminal = session.arrangement !== null;
  const wanted = { ...action, owned: session.owned, terminal, present: assignmentsOf(context.journal) };
  const planned = await plan(planningOf(context, settings), wanted);
  await prepare(context, settings, planned);
  const agents = await record(context, session, planned);
  return { did: "add", agents, ignored: settings.ignored, later: [], plain: plainAmong(context.journal, agents) };
}

const planningOf = (
  context: Pick<Starting, "agents" | "files" | "git" | "place">,
  settings: SessionSettings,
): Planning => {
  const { root, project, session } = context.place;
  return { ports: context, root, project, session, settings };
};

const newSession = (
  { place, clock, journal }: Pick<Starting, "place" | "clock" | "journal">,
  settings: SessionSettings,
  { arrangement, supervisor, owned }: StartAction,
  { base }: Planned,
): Session => ({
  name: place.session,
  project: place.project,
  root: place.root,
  base,
  placement: settings.placement,
  arrangement,
  conflicts: arrangement === "supervisor" || supervisor === true ? settings.conflict : null,
  nudge: settings.supervisor.nudge,
  verify: settings.verify,
  land: settings.land,
  broker: settings.broker,
  allowed: [],
  owned,
  after: journal.head,
  createdAt: clock.now(),
  status: "active",
});

/** The model in pane 0, where the session is to have one and has none yet. One that is no longer wanted goes. */
async function changeSupervisor(
  context: Starting,
  settings: SessionSettings,
  session: Session,
  { arrangement }: Recovered,
): Promise<NewAssignment | null> {
  const present = supervisingAssignment(context.journal);
  if (arrangement !== "supervisor") await dismissSupervisor(context);
  if (arrangement !== "supervisor" || present !== null) return null;
  const assignments = assignmentsOf(context.journal);
  const planned = await planModel(planningOf(context, settings), session.base, assignments);
  if (planned !== null && "kind" in planned) throw new Failed(planned);
  return planned;
}

/** The model of a session whose agents are all gone: the next session has none. */
async function dismissSupervisor({ journal, clock }: Pick<Starting, "journal" | "clock">): Promise<void> {
  if (supervisingAssignment(journal) === null) return;
  await journal.transact((transaction) =>
    transaction.send(agentLane(SUPERVISOR), { type: "wanted.gone", at: clock.now(), keepWorktree: true }),
  );
  await journal.until(() => supervisingAssignment(journal) === null);
}

/** Our ignore file, and the patterns that hide what set-up puts into worktrees: before anything is there to hide. */
async function prepare(
  { files, git, place, journal }: Pick<Starting, "files" | "git" | "place" | "journal">,
  { setUp }: SessionSettings,
  { problems }: Planned,
): Promise<void> {
  if (problems.length > 0) throw new Failed(oneOrSeveral(problems));
  for (const name of [".banksman/worktrees", ".banksman/logs"]) await files.makeInside(place.root, name);
  await keepHidden({ files, git, place, journal }, setUp);
}

/** Also where they were once: `git clean -fdx` takes our ignore file away, and a power cut may have emptied them. */
async function keepHidden(
  { files, git, place, journal }: Pick<Starting, "files" | "git" | "place" | "journal">,
  ...planned: readonly SessionSettings["setUp"][]
): Promise<void> {
  if (!(await files.readInside(place.root, IGNORE_FILE)))
    await files.writeInside(place.root, IGNORE_FILE, IGNORED, 0o644);
  const present = assignmentsOf(journal).map((assignment) => assignment.setUp);
  const names = [...planned, ...present].flatMap(({ copy, symlink }) => [...copy, ...symlink]);
  await git.hide([...new Set([...names.map((name) => `/${name}`), ...OWN_COPIES, LEFTOVERS])]);
}

/** The whole plan in one commit: after a crash it is all there or nothing is. Answers with the agents that come up. */
async function record(
  { journal, clock }: Pick<Starting, "journal" | "clock">,
  session: Session,
  { supervisor, assignments }: Planned,
): Promise<readonly string[]> {
  const planned: readonly NewAssignment[] = [...(supervisor === null ? [] : [supervisor]), ...assignments];
  await journal.transact((transaction) => {
    transaction.send(SESSION_LANE, { type: "begun", session: { ...session, status: "active" } });
    for (const plan of planned) join(transaction, plan, journal.head, clock.now());
  });
  return planned.map(({ agent }) => agent);
}

function join(transaction: Transaction, plan: NewAssignment, head: number, now: Instant): void {
  const { agent, cli } = plan;
  transaction.send(agentLane(agent), { type: "planned", plan });
  const branch = agent === SUPERVISOR ? null : plan.branch;
  const row = { ...newcomer(agent, now, head), branch, cli: cli.name, evidence: "planned" };
  transaction.put({ row: "roster", put: row });
  // What was said to the supervisor of an earlier session is not for this one.
  if (agent === SUPERVISOR) transaction.put({ row: "cursor", put: freshCursor(agent, head) });
}

async function recover(
  context: Pick<Starting, "journal" | "clock" | "processes">,
  as: Recovered,
  supervisor: NewAssignment | null,
  again: boolean,
): Promise<void> {
  const { journal, clock } = context;
  await journal.transact((transaction) => {
    const before = sessionOf(journal)?.conflicts ?? null;
    transaction.send(SESSION_LANE, { type: "recovered", as });
    if (before === null && as.conflicts !== null) {
      const warning = { settings: as.conflicts, unclaimed: unclaimedSpecs(journal) };
      transaction.react(followStanding(journal, warning, clock.now()), clock.now());
    }
    // A model in pane 0 is never done with its work.
    for (const { agent } of everyAssignment(journal)) {
      const finished = agent === SUPERVISOR ? "always" : again ? "anew" : "unfinished";
      transaction.send(agentLane(agent), { type: "wanted.up", again: finished });
    }
    showComingUp(context, transaction);
    if (supervisor !== null) join(transaction, supervisor, journal.head, clock.now());
  });
}

/** Of a session that runs: agents that had finished begin again. False where none had. */
async function startAgain(context: Pick<Starting, "journal" | "clock" | "processes">): Promise<boolean> {
  const { journal } = context;
  return journal.transact((transaction) => {
    const finished = assignmentsOf(journal).filter(({ ended }) => ended?.how === "ok");
    for (const { agent } of finished) transaction.send(agentLane(agent), { type: "wanted.up", again: "anew" });
    showComingUp(context, transaction);
    return finished.length > 0;
  });
}
