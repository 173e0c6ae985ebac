import { pause } from "../../../async/pause.ts";
import type { LaunchOrder } from "../../../core/agents/effects.ts";
import { agentLane } from "../../../core/agents/reduce-assignment.ts";
import { agentEnvironment, type Environment, gitConfigEnvironment } from "../../../core/clis/environment.ts";
import { afterItsMinute, beginWith, goOnWith } from "../../../core/clis/first-prompt.ts";
import { kindNamed, variablesOf } from "../../../core/clis/kinds.ts";
import { BRIEF_FILE, IGNORE_FILE, IGNORED } from "../../../core/clis/sidecar.ts";
import type { Told } from "../../../core/messages/cursors.ts";
import type { Telling } from "../../../core/messages/telling.ts";
import { tellAgent } from "../../../core/messages/wording.ts";
import { screenOf } from "../../../core/screens/read-screen.ts";
import { sessionOf } from "../../../core/session/read-session.ts";
import type { SessionSettings } from "../../../core/session/settings.ts";
import { type AgentId, type RunId, SUPERVISOR } from "../../../core/text/ids.ts";
import { blankTokensIn } from "../../../core/text/token-words.ts";
import type { AgentOrder, LiveAgent } from "../../../ports/agent-cli.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Recording, Waking } from "../../journal/recording.ts";
import type { Place } from "../../loop/place.ts";
import { pendingInterrupt } from "../../messages/pending-interrupt.ts";
import { readUnheard } from "../../messages/unheard.ts";
import { openAgentPane } from "../../session/session-panes.ts";
import type { AgentProcesses, Heard } from "../agent-processes.ts";
import { layLog } from "../lay-log.ts";
import { PaneAgent, type PaneNeeds } from "../pane-agent.ts";
import { prepareHeadless, prepareTerminal } from "../prepare-agent.ts";
import type { Performer } from "./performer.ts";

/** Events that wait to be folded in; beyond that they are dropped, as a process that floods us cannot be believed. */
const MOST_UNHEARD = 1_000;

interface Needs extends Recording, Waking, PaneNeeds, Pick<Ports, "files" | "git" | "store" | "tokens"> {
  readonly processes: AgentProcesses;
  readonly place: Place;
  settings(): Promise<SessionSettings>;
  arrange(): Promise<void>;
}

interface Launch {
  readonly agent: AgentId;
  readonly run: RunId;
  readonly order: LaunchOrder;
  readonly token: string;
  readonly heard: Heard;
}

/**
 * Brings the run's process to life: brief beside the work, a token of its own, an environment that holds nothing else.
 * Performed again after a crash it finds what is left of the first attempt by the run's marker, and ends it first.
 */
export const performLaunch: Performer<"agent.launch", Needs> = async (needs, { agent, run, order }) => {
  const { processes, agents } = needs;
  const earlier = processes.get(agent)?.run;
  if (earlier === run) return { ok: true };
  if (earlier !== undefined) await agents.endLeftovers(earlier);
  await agents.endLeftovers(run);
  const cleared = await needs.git.clearLocks(order.worktree, order.branch);
  await layLog(needs, order.log);
  const token = await giveToken(needs, agent, run);
  const heard: Heard = { lastSign: null, events: [], exit: null };
  const launch = { agent, run, order, token, heard };
  const { process, ...gives } = await (order.terminal ? launchInPane(needs, launch) : launchHeadless(needs, launch));
  processes.set(agent, { run, process, heard });
  const warnings = cleared.map((lock) => `removed a lock that nobody held any more: ${lock}`);
  return { ok: true, warnings, ...gives };
};

interface Launched {
  readonly process: LiveAgent;
  readonly told?: Told;
  readonly opening?: string;
  readonly begins?: string;
}

/** What one begins with that had finished; null where it has read everything meanwhile. */
const promptWith = ({ messages }: Telling, { conversation, brief }: LaunchOrder): string | null =>
  messages.length === 0 ? null : goOnWith(tellAgent(messages), conversation === null ? brief : null);

/**
 * What came meanwhile is part of the first prompt where a CLI begins a new conversation: it may end before anything else
 * could be typed. One that goes on with its own is told as any other.
 */
async function launchInPane(needs: Needs, { agent, run, order, token }: Launch): Promise<Launched> {
  const { worktree, log, conversation } = order;
  const { argv, env: own, begins } = await prepareTerminal(needs, agent, run, order);
  const resumes = conversation !== null && begins === null;
  const news = order.again === true && !resumes ? await readUnheard(needs, agent) : null;
  const opening = news === null || news.messages.length === 0 ? null : openingWith(news, order);
  await layBrief(needs, opening === null ? order : { ...order, brief: opening });
  if (resumes) await itsMinute(needs, order);
  const env = { ...environment(needs, agent, order, token), ...own };
  const pane = await openAgentPane(needs, { agent, run, argv, env, worktree, log });
  return {
    process: new PaneAgent(needs, pane, { agent, run, cli: screenOf(order.cli), worktree, log }),
    ...(begins !== null && { begins }),
    ...(news !== null && opening !== null && { opening, told: { seq: news.told, nothingElse: news.nothingElse } }),
  };
}

const openingWith = ({ messages }: Telling, { brief, toldMore }: LaunchOrder): string =>
  toldMore ? goOnWith(tellAgent(messages), brief) : beginWith(tellAgent(messages), brief);

/** For a CLI that loses a conversation which it takes up too soon. */
async function itsMinute({ clock }: Pick<Needs, "clock">, { cli, conversationSince }: LaunchOrder): Promise<void> {
  if (kindNamed(cli.protocol)?.resumes !== "after-its-minute" || conversationSince == null) return;
  const left = afterItsMinute(conversationSince) - clock.now();
  if (left > 0) await pause(clock, left);
}

async function launchHeadless(needs: Needs, launch: Launch): Promise<Launched> {
  const { agent, run, order, token } = launch;
  await layBrief(needs, order);
  const news = order.toldMore ? await readUnheard(needs, agent) : null;
  const first = news && promptWith(news, order);
  const { argv, env, speaks, prompt } = await prepareHeadless(needs, agent, order, first);
  const process = await needs.agents.launch({
    run,
    argv,
    speaks,
    cwd: order.worktree,
    env: { ...environment(needs, agent, order, token), ...env },
    prompt,
    conversation: order.conversation,
    conversationSince: order.conversationSince ?? null,
    idleSeconds: order.cli.limits?.idleSeconds ?? null,
    workSeconds: order.cli.limits?.workSeconds ?? null,
    log: order.log,
    secrets: [token],
    ...hearing(needs, launch),
  });
  return news === null ? { process } : { process, told: { seq: news.told, nothingElse: news.nothingElse } };
}

/** What the process says is kept until the agent's lane has taken it in. */
function hearing(
  needs: Needs,
  { agent, heard, token }: Launch,
): Pick<AgentOrder, "onSign" | "onEvent" | "onExit" | "onPausePoint"> {
  const wake = () => needs.wake(agentLane(agent).key);
  return {
    onSign() {
      const first = heard.lastSign === null;
      heard.lastSign = needs.clock.now();
      if (first) wake();
    },
    onEvent(event) {
      if (heard.events.length >= MOST_UNHEARD) return;
      // What it asks to run may hold its own address, and with it its token: that is nothing to keep, nor to show.
      heard.events.push(blankTokensIn(event, (word) => word === token));
      wake();
    },
    onExit(exit) {
      heard.exit = exit;
      wake();
    },
    // Told first: after a crash in between it hears it twice, and not never.
    async onPausePoint(give) {
      const interrupt = await pendingInterrupt(needs, agent);
      if (interrupt === null) return;
      give(interrupt.text);
      await interrupt.record();
      wake();
    },
  };
}

/** The project may have an ignore file of its own there; then it is the project's business. */
async function layBrief({ files }: Pick<Needs, "files">, { worktree, brief }: LaunchOrder): Promise<void> {
  const ignored = await files.readInside(worktree, IGNORE_FILE);
  // An empty one is what a power cut has left of ours.
  if (ignored === null || ignored === "") await files.writeInside(worktree, IGNORE_FILE, IGNORED, 0o644);
  await files.writeInside(worktree, BRIEF_FILE, brief, 0o600);
}

async function giveToken(
  { tokens, journal }: Pick<Needs, "tokens" | "journal">,
  agent: AgentId,
  run: RunId,
): Promise<string> {
  const { token, digest } = tokens.mint();
  await journal.transact(({ put }) => {
    put({ row: "token", drop: run });
    put({ row: "token", put: { digest, run, agent, role: agent === SUPERVISOR ? "supervisor" : "agent" } });
  });
  return token;
}

/** What lets a supervising model's `banksman status` and `peek` find the same session as the person's. */
const WHERE_WE_ARE: readonly string[] = ["BANKSMAN_STATE_DIR", "BANKSMAN_TMUX_SOCKET", "XDG_STATE_HOME"];

function environment(
  { place, journal }: Pick<Needs, "place" | "journal">,
  agent: AgentId,
  { cli, port, branch }: LaunchOrder,
  token: string,
): Environment {
  const url = `${place.url()}/a/${token}`;
  const isReachable = sessionOf(journal)?.broker !== false;
  const asked = variablesOf(cli, place.env);
  return agentEnvironment(place.env, [...asked, ...(agent === SUPERVISOR ? WHERE_WE_ARE : [])], {
    ...gitConfigEnvironment([
      ["core.excludesFile", place.excludes],
      ...(agent === SUPERVISOR ? [] : [["core.hooksPath", place.hooks] as const]),
    ]),
    ...(agent === SUPERVISOR ? null : { BANKSMAN_BRANCH: branch }),
    ...(port === null ? null : { PORT: String(port) }),
    PATH: `${place.shims}:${place.env.PATH ?? ""}`,
    BANKSMAN_AGENT: agent,
    ...(isReachable && { BANKSMAN_URL: url, GIT_PAW_BROKER_URL: url }),
  });
}
