import type { Action, Owned } from "../../core/actions.ts";
import { freshCursor } from "../../core/cursors.ts";
import { Failed, oneOrSeveral } from "../../core/failure.ts";
import { agentLane, type Branch, SESSION_LANE, SUPERVISOR } from "../../core/ids.ts";
import { leaving } from "../../core/purge.ts";
import { newcomer } from "../../core/roster.ts";
import { plannedRun, type Run, wantedAgain } from "../../core/run.ts";
import { decideStart, type Session } from "../../core/session.ts";
import type { SessionSettings } from "../../core/settings.ts";
import { IGNORE_FILE, IGNORED, LEFTOVERS, OWN_COPIES } from "../../core/sidecar.ts";
import type { House } from "../../engine/house.ts";
import { everyRun, runsOf, sessionOf, supervisingRun } from "../../engine/look.ts";
import { plan } from "./plan.ts";

export interface StartResult {
  readonly did: "fresh" | "reattach" | "recover" | "add";
  readonly agents: readonly string[];
  /** Keys of the repository's config that are not used because it is not trusted. */
  readonly ignored: readonly string[];
}

/** Fresh, reattach or recover: decided from what is here, recorded whole, and then carried out by the agents' lanes. */
export async function start(house: House, action: Extract<Action, { type: "start" }>): Promise<StartResult> {
  const { journal } = house;
  const settings = await house.settings();
  const runs = runsOf(journal);
  const supervising = supervisingRun(journal);
  const decision = decideStart(sessionOf(journal), runs, action.branches as Branch[], supervising);
  if (decision.do === "refuse") throw new Failed({ kind: "session.other-branches", ...decision });
  house.held = false;
  if (decision.do === "fresh") return fresh(house, settings, action);
  if (decision.do === "recover") await recover(house);
  const all = everyRun(journal).map(({ agent }) => agent);
  for (const agent of all) house.wake(agentLane(agent));
  return { did: decision.do, agents: all, ignored: settings.ignored };
}

/** Further agents for the session that is here. */
export async function add(house: House, action: Extract<Action, { type: "add" }>): Promise<StartResult> {
  const session = sessionOf(house.journal);
  if (session === null) throw new Failed({ kind: "session.none" });
  if (session.status !== "active") throw new Failed({ kind: "session.not-running" });
  const settings = await house.settings();
  return { ...(await open(house, settings, action, session, session.arrangement)), did: "add" };
}

function fresh(
  house: House,
  settings: SessionSettings,
  action: Extract<Action, { type: "start" }>,
): Promise<StartResult> {
  return open(house, settings, action, null, action.arrangement);
}

async function open(
  house: House,
  settings: SessionSettings,
  wanted: Pick<Extract<Action, { type: "start" }>, "branches" | "cli" | "briefs"> & { readonly owned?: Owned },
  existing: Session | null,
  arrangement: Session["arrangement"],
): Promise<StartResult> {
  const { place, journal, clock } = house;
  const present = runsOf(journal);
  const planning = { ports: house, root: place.root, project: place.project, session: place.session, settings };
  const supervised = existing === null && arrangement === "supervisor";
  const terminal = arrangement !== null;
  const { runs, supervisor, problems, base } = await plan(planning, { ...wanted, terminal, supervised, present });
  if (problems.length > 0) throw new Failed(oneOrSeveral(problems));
  await prepare(house, settings);
  const session: Session = existing ?? {
    name: place.session,
    project: place.project,
    root: place.root,
    base,
    placement: settings.placement,
    arrangement,
    conflicts: arrangement === "supervisor" || settings.supervisor.enabled === true ? settings.conflict : null,
    nudge: settings.supervisor.nudge,
    createdAt: clock.now(),
    status: "active",
  };
  const planned = [...(supervisor === null ? [] : [supervisor]), ...runs.map(plannedRun)];
  if (existing === null && supervisor === null) await dismissSupervisor(house);
  await record(house, session, planned);
  const agents = planned.map(({ agent }) => agent);
  for (const agent of agents) house.wake(agentLane(agent));
  return { did: "fresh", agents, ignored: settings.ignored };
}

/** The model of a session whose agents are all gone: the next session has none. */
async function dismissSupervisor(house: House): Promise<void> {
  const { journal, clock } = house;
  const lane = agentLane(SUPERVISOR);
  const model = supervisingRun(journal);
  if (model === null) return;
  await journal.transact((put) => put(journal.laneChange(lane, leaving(model, clock.now(), true))));
  house.wake(lane);
  await journal.until(() => supervisingRun(journal) === null);
}

/** Our ignore file, and the patterns that hide what set-up puts into worktrees: before anything is there to hide. */
async function prepare({ files, git, place, journal }: House, { setUp }: SessionSettings): Promise<void> {
  for (const name of [".banksman/worktrees", ".banksman/logs"]) await files.makeInside(place.root, name);
  if ((await files.read(`${place.root}/${IGNORE_FILE}`)) === null)
    await files.writeInside(place.root, IGNORE_FILE, IGNORED, 0o644);
  const present = runsOf(journal).map((run) => run.setUp);
  const names = [setUp, ...present].flatMap(({ copy, symlink }) => [...copy, ...symlink]);
  await git.hide([...new Set([...names.map((name) => `/${name}`), ...OWN_COPIES, LEFTOVERS])]);
}

/** The whole plan in one commit: after a crash it is all there or nothing is. */
async function record({ journal, clock }: House, session: Session, runs: readonly Run[]): Promise<void> {
  await journal.transact((put) => {
    put(journal.laneChange(SESSION_LANE, { ...session, status: "active" } satisfies Session));
    for (const planned of runs) {
      const { agent, cli } = planned;
      put(journal.laneChange(agentLane(agent), planned));
      const joined = newcomer(agent, clock.now(), journal.head);
      const branch = agent === SUPERVISOR ? null : planned.branch;
      put({ row: "roster", put: { ...joined, branch, cli: cli.name, evidence: "planned" } });
      // What was said to the supervisor of an earlier session is not for this one.
      if (agent === SUPERVISOR) put({ row: "cursor", put: freshCursor(agent, journal.head) });
    }
  });
}

async function recover({ journal }: House): Promise<void> {
  await journal.transact((put) => {
    const session = sessionOf(journal);
    if (session !== null) put(journal.laneChange(SESSION_LANE, { ...session, status: "active" } satisfies Session));
    for (const run of runsOf(journal)) put(journal.laneChange(agentLane(run.agent), wantedAgain(run)));
    const supervising = supervisingRun(journal);
    if (supervising !== null)
      put(journal.laneChange(agentLane(SUPERVISOR), { ...wantedAgain(supervising), ended: null } satisfies Run));
  });
}
