import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import type { PanePlan } from "../../core/session/layout.ts";
import { plannedPanes, sessionOf, supervisingAssignment } from "../../core/session/read-session.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import { type AgentId, type RunId, SUPERVISOR } from "../../core/text/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { PaneId } from "../../ports/tmux.ts";
import type { Journal } from "../journal/journal.ts";
import type { Place } from "../loop/place.ts";

interface Needs extends Pick<Ports, "tmux"> {
  readonly journal: Journal;
  readonly place: Place;
  settings(): Promise<SessionSettings>;
}

/** Starts a run's program in its pane, and puts all panes where they belong. */
export async function openAgentPane(
  context: Needs & { arrange(): Promise<void> },
  { agent, run, argv, env, worktree, log }: AgentPane,
): Promise<PaneId> {
  await openRolePanes(context);
  const look = (await context.settings()).look;
  const pane = await context.tmux.open({
    session: context.place.session,
    owner: context.place.state,
    ...(agent === SUPERVISOR ? { role: "supervisor", agent: null } : { role: "agent", agent }),
    run,
    argv,
    cwd: worktree,
    env,
    log,
    keep: false,
    ...look,
  });
  await context.arrange();
  return pane;
}

interface AgentPane {
  readonly agent: AgentId;
  readonly run: RunId;
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly worktree: string;
  readonly log: string;
}

/** Those of our own programs that have ended, or were closed, are started again; the session itself is not made for them. */
export async function reviveRolePanes(context: Needs & { arrange(): Promise<void> }): Promise<void> {
  const wanted = rolePanes(context);
  if (wanted.length === 0 || sessionOf(context.journal)?.status === "stopped") return;
  const session = await context.tmux.look(context.place.session);
  if (session === null || session.owner !== context.place.state) return;
  const lives = ({ role }: PanePlan) => session.panes.some((pane) => pane.role === role && !pane.dead);
  if (wanted.every(lives)) return;
  await openRolePanes(context);
  await context.arrange();
}

/** The console and the dashboard, where the arrangement has them. A model is opened by its run. */
function rolePanes({ journal }: Pick<Needs, "journal">): PanePlan[] {
  const model = supervisingAssignment(journal) !== null;
  return plannedPanes(journal).filter(({ role }) => role !== "agent" && !(model && role === "supervisor"));
}

/** The same, where they are not there. */
async function openRolePanes(context: Needs): Promise<void> {
  const wanted = rolePanes(context);
  if (wanted.length === 0) return;
  const { look } = await context.settings();
  for (const { role } of wanted) {
    await context.tmux.open({
      session: context.place.session,
      owner: context.place.state,
      role,
      agent: null,
      run: `${context.place.session}-${role}` as RunId,
      argv: [...context.place.program, role === "supervisor" ? "console" : "watch"],
      cwd: context.place.root,
      env: ownEnvironment(context.place.env),
      log: null,
      keep: true,
      ...look,
    });
  }
}

/** Our own programs need to find the same supervisor as the person does, and nothing else. */
const ownEnvironment = (env: Environment): Environment =>
  agentEnvironment(env, ["BANKSMAN_STATE_DIR", "BANKSMAN_TMUX_SOCKET", "XDG_STATE_HOME", "NO_COLOR"], {});

/** Nobody is left in it: the session goes, with the console and the dashboard. */
export async function closeSession({ tmux, place }: Pick<Needs, "tmux" | "place">): Promise<void> {
  const session = await tmux.look(place.session);
  if (session?.owner !== place.state) return;
  for (const { id } of session.panes) await tmux.close(id);
}
