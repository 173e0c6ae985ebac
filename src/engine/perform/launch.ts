import { kindNamed } from "../../core/clis/kinds.ts";
import type { LaunchOrder } from "../../core/effects.ts";
import { agentEnvironment, type Environment, gitConfigEnvironment } from "../../core/environment.ts";
import { type AgentId, agentLane, type RunId, SUPERVISOR } from "../../core/ids.ts";
import { screenOf } from "../../core/screen.ts";
import { BRIEF_FILE, IGNORE_FILE, IGNORED } from "../../core/sidecar.ts";
import type { House } from "../house.ts";
import type { Heard } from "../living.ts";
import { PaneAgent } from "../pane-agent.ts";
import { prepareHeadless, prepareTerminal } from "../prepare-agent.ts";
import { openAgentPane } from "../session-panes.ts";
import { tidingsFor } from "../tidings.ts";
import type { Performer } from "./perform.ts";

/** Events that wait to be folded in; beyond that they are dropped, as a process that floods us cannot be believed. */
const MOST_UNHEARD = 1_000;

/**
 * Brings the run's process to life: brief beside the work, a token of its own, an environment that holds nothing else.
 * Performed again after a crash it finds what is left of the first attempt by the run's marker, and ends it first.
 */
export const performLaunch: Performer<"agent.launch"> = async (house, { agent, run, order }) => {
  if (house.living.get(agent)?.run === run) return { ok: true };
  const earlier = house.living.get(agent)?.run;
  if (earlier !== undefined) await house.agents.endLeftovers(earlier);
  await house.agents.endLeftovers(run);
  await layBrief(house, order);
  const token = await giveToken(house, agent, run);
  const heard: Heard = { lastSign: null, events: [], exit: null };
  if (order.terminal) {
    const ready = await prepareTerminal(house, agent, order);
    const env = { ...environment(house, agent, order, token), ...ready.env };
    const pane = await openAgentPane(house, {
      agent,
      run,
      argv: ready.argv,
      env,
      worktree: order.worktree,
      log: order.log,
    });
    const of = { agent, run, cli: screenOf(order.cli), worktree: order.worktree, log: order.log };
    house.living.set(agent, { run, process: new PaneAgent(house, pane, of), heard });
    return { ok: true };
  }
  const wake = () => house.wake(agentLane(agent));
  const { argv, env, speaks, prompt } = await prepareHeadless(house, agent, order);
  const process = await house.agents.launch({
    run,
    argv,
    speaks,
    cwd: order.worktree,
    env: { ...environment(house, agent, order, token), ...env },
    prompt,
    conversation: order.conversation,
    conversationSince: order.conversationSince ?? null,
    idleSeconds: order.cli.limits?.idleSeconds ?? null,
    workSeconds: order.cli.limits?.workSeconds ?? null,
    log: order.log,
    secrets: [token],
    onSign: () => {
      const first = heard.lastSign === null;
      heard.lastSign = house.clock.now();
      if (first) wake();
    },
    onEvent: (event) => {
      if (heard.events.length >= MOST_UNHEARD) return;
      heard.events.push(event);
      wake();
    },
    onExit: (exit) => {
      heard.exit = exit;
      wake();
    },
    // Told first: after a crash in between it hears it twice, and not never.
    onLull: async (give) => {
      const tidings = await tidingsFor(house, agent);
      if (tidings === null) return;
      give(tidings.text);
      await tidings.record();
      wake();
    },
  });
  house.living.set(agent, { run, process, heard });
  return { ok: true };
};

/** The project may have an ignore file of its own there; then it is the project's business. */
async function layBrief({ files }: House, { worktree, brief }: LaunchOrder): Promise<void> {
  const ignored = await files.read(`${worktree}/${IGNORE_FILE}`);
  if (ignored === null) await files.writeInside(worktree, IGNORE_FILE, IGNORED, 0o644);
  await files.writeInside(worktree, BRIEF_FILE, brief, 0o600);
}

async function giveToken({ tokens, journal }: House, agent: AgentId, run: RunId): Promise<string> {
  const { token, digest } = tokens.mint();
  await journal.transact((put) => {
    put({ row: "token", drop: run });
    put({ row: "token", put: { digest, run, agent, role: agent === SUPERVISOR ? "supervisor" : "agent" } });
  });
  return token;
}

/** What lets a supervising model's `banksman status` and `peek` find the same session as the person's. */
const WHERE_WE_ARE: readonly string[] = ["BANKSMAN_STATE_DIR", "BANKSMAN_TMUX_SOCKET", "XDG_STATE_HOME"];

function environment({ place }: House, agent: AgentId, { cli, port, branch }: LaunchOrder, token: string): Environment {
  const url = `${place.url()}/a/${token}`;
  const asked = [...(kindNamed(cli.protocol)?.env ?? []), ...cli.env];
  return agentEnvironment(place.env, [...asked, ...(agent === SUPERVISOR ? WHERE_WE_ARE : [])], {
    ...gitConfigEnvironment([
      ["core.excludesFile", place.excludes],
      ...(agent === SUPERVISOR ? [] : [["core.hooksPath", place.hooks] as const]),
    ]),
    ...(agent === SUPERVISOR ? null : { BANKSMAN_BRANCH: branch }),
    ...(port === null ? null : { PORT: String(port) }),
    PATH: `${place.shims}:${place.env.PATH ?? ""}`,
    BANKSMAN_URL: url,
    BANKSMAN_AGENT: agent,
    GIT_PAW_BROKER_URL: url,
  });
}
