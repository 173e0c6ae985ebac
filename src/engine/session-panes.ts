import { agentEnvironment, type Environment } from "../core/environment.ts";
import { type AgentId, type RunId, SUPERVISOR } from "../core/ids.ts";
import type { PaneId } from "../ports/tmux.ts";
import type { House } from "./house.ts";
import { plannedPanes, supervisingRun } from "./look.ts";

/** Starts a run's program in its pane, and puts all panes where they belong. */
export async function openAgentPane(
  house: House,
  { agent, run, argv, env, worktree, log }: AgentPane,
): Promise<PaneId> {
  await openRolePanes(house);
  const look = (await house.settings()).look;
  const pane = await house.tmux.open({
    session: house.place.session,
    owner: house.place.state,
    ...(agent === SUPERVISOR ? { role: "supervisor", agent: null } : { role: "agent", agent }),
    run,
    argv,
    cwd: worktree,
    env,
    log,
    keep: false,
    ...look,
  });
  await house.arrange();
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

/** The console and the dashboard, where the arrangement has them and they are not there. A model is opened by its run. */
async function openRolePanes(house: House): Promise<void> {
  const model = supervisingRun(house.journal) !== null;
  const wanted = plannedPanes(house).filter(({ role }) => role !== "agent" && !(model && role === "supervisor"));
  if (wanted.length === 0) return;
  const { look } = await house.settings();
  for (const { role } of wanted) {
    await house.tmux.open({
      session: house.place.session,
      owner: house.place.state,
      role,
      agent: null,
      run: `${house.place.session}-${role}` as RunId,
      argv: [...house.place.program, role === "supervisor" ? "console" : "watch"],
      cwd: house.place.root,
      env: ownEnvironment(house.place.env),
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
export async function closeSession({ tmux, place }: House): Promise<void> {
  const session = await tmux.look(place.session);
  if (session?.owner !== place.state) return;
  for (const { id } of session.panes) await tmux.close(id);
}
