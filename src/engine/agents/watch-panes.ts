import type { Assignment } from "../../core/agents/assignment.ts";
import type { NeedsPerson } from "../../core/agents/needs-person.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { isOpen, type PermissionRequest } from "../../core/messages/questions.ts";
import { screenOf } from "../../core/screens/read-screen.ts";
import type { Screen } from "../../core/screens/screen.ts";
import { everyAssignment } from "../../core/session/read-session.ts";
import { printable } from "../../core/text/printable.ts";
import { blankTokensIn } from "../../core/text/token-words.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Pane } from "../../ports/tmux.ts";
import type { Recording, Waking } from "../journal/recording.ts";
import type { Place } from "../loop/place.ts";
import type { AgentProcesses, LaunchedAgent } from "./agent-processes.ts";
import { keepLog } from "./keep-log.ts";
import { PaneAgent, type PaneNeeds } from "./pane-agent.ts";

interface Needs extends Recording, Waking, PaneNeeds, Pick<Ports, "files" | "tokens"> {
  readonly processes: AgentProcesses;
  readonly place: Pick<Place, "root" | "session" | "state">;
}

const LOOK_MS = 400;
const HISTORY = 200;

/**
 * Looks at the panes again and again: who has ended, who shows something new, who stands at a prompt. What was seen is
 * a fact of the agent's next decision, as if its process had told us.
 */
export function watchPanes(context: Needs, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let cancel = () => {};
  const turn = async () => {
    try {
      if (agentsInPanes(context).length > 0) await look(context);
    } catch (error) {
      onError(error);
    }
    if (!stopped) cancel = context.clock.after(LOOK_MS, turn);
  };
  cancel = context.clock.after(LOOK_MS, turn);
  return () => {
    stopped = true;
    cancel();
  };
}

interface Watched {
  readonly agent: PaneAgent;
  readonly heard: LaunchedAgent["heard"];
}

const agentsInPanes = ({ processes }: Pick<Needs, "processes">): Watched[] =>
  processes
    .all()
    .flatMap(([, { process, heard }]) =>
      process instanceof PaneAgent && heard.exit === null ? [{ agent: process, heard }] : [],
    );

async function look(context: Needs): Promise<void> {
  const panes = (await context.tmux.look(context.place.session))?.panes ?? [];
  for (const { agent, heard } of agentsInPanes(context)) {
    const pane = panes.find(({ id, run }) => id === agent.pane && run === agent.of.run);
    if (pane === undefined) exits(context, agent, heard, null);
    else await see(context, agent, heard, pane);
  }
}

async function see(context: Needs, agent: PaneAgent, heard: LaunchedAgent["heard"], pane: Pane): Promise<void> {
  // A dead pane shows tmux's word about it last, and a smaller size has scrolled the program's own away.
  const text = await context.tmux.capture(agent.pane, { history: pane.dead ? HISTORY : 0, colours: true });
  if (text === null) return;
  const changed = agent.see(pane, text);
  if (changed) heard.lastSign = context.clock.now();
  await keepLog(context, agent);
  if (pane.dead) return exits(context, agent, heard, pane.exitCode);
  // While somebody scrolls, what it asks cannot be seen, and is still asked.
  if (agent.sure !== null && !pane.inMode)
    announce(agent, heard, withoutTokens(context, askedOn(agent.sure, agent.needsPerson)));
  if (heard.events.length > 0 || hasMoved(agent)) context.wake(agentLane(agent.of.agent).key);
}

/** Since the last turn: it listens again (one that is being typed to does not), or is at something else. */
function hasMoved(agent: PaneAgent): boolean {
  const { listens, needsPerson, at, watched } = agent;
  const now = { listens, needsPerson: needsPerson?.text ?? null, at };
  agent.watched = now;
  return (listens && !watched.listens) || watched.needsPerson !== now.needsPerson || watched.at !== at;
}

function announce(agent: PaneAgent, heard: LaunchedAgent["heard"], now: PermissionRequest | null): void {
  if (agent.announced !== null && agent.announced !== now?.request)
    heard.events.push({ type: "permission.over", request: agent.announced });
  if (now !== null && agent.announced !== now.request) heard.events.push({ type: "permission", ...now });
  agent.announced = now?.request ?? null;
}

const withoutTokens = (
  { journal, tokens }: Pick<Needs, "journal" | "tokens">,
  asked: PermissionRequest | null,
): PermissionRequest | null => blankTokensIn(asked, (word) => journal.tokens.has(tokens.digest(word)));

/** What it asks and can be answered from here. A command that may not be all there is no command to judge. */
function askedOn({ prompt }: Screen, needsPerson: NeedsPerson | null): PermissionRequest | null {
  if (prompt === null || needsPerson !== null) return null;
  const { request, text, command, complete } = prompt;
  return complete
    ? { request, text: command ?? text, command: command ?? null }
    : { request, text: `${text}\n(its screen may not show all of it: look at its pane)`, command: null };
}

function exits(context: Needs, agent: PaneAgent, heard: LaunchedAgent["heard"], code: number | null): void {
  const lastLine = printable(agent.lastLine).slice(0, 300);
  const exit = { at: context.clock.now(), code, signal: null, end: null, announces: false, lastLine };
  heard.exit = code === null ? { ...exit, closed: true } : exit;
  context.wake(agentLane(agent.of.agent).key);
}

type Seeing = Omit<Needs, "wake" | "files" | "tokens">;

/** Takes up the agents that went on while no supervisor was there, and closes panes of runs nobody knows. */
export async function adoptPanes(context: Seeing): Promise<void> {
  for (const pane of await seePanes(context)) if (!pane.dead) await context.tmux.close(pane.id);
}

/** Counts agents that live in panes among the living; answers with agents' panes that belong to no run. */
export async function seePanes(context: Seeing): Promise<Pane[]> {
  const session = await context.tmux.look(context.place.session);
  if (session === null || session.owner !== context.place.state) return [];
  const assignments = everyAssignment(context.journal);
  const strangers: Pane[] = [];
  for (const pane of session.panes) {
    const assignment = assignments.find((each) => each.terminal && each.live !== null && each.live === pane.run);
    if (assignment !== undefined) adopt(context, assignment, pane);
    else if (pane.role === "agent" || pane.agent !== null) strangers.push(pane);
  }
  return strangers;
}

function adopt(context: Seeing, { agent, live, cli, worktree, log }: Assignment, pane: Pane): void {
  if (live === null) return;
  const process = new PaneAgent(context, pane.id, { agent, run: live, cli: screenOf(cli), worktree, log });
  process.pid = pane.pid;
  // What it was asking when nobody looked may have been answered in its pane since.
  const asked = [...context.journal.openQuestions.values()].find((each) => isOpen(each) && each.run === live);
  process.announced = asked?.request ?? null;
  context.processes.set(agent, {
    run: live,
    process,
    heard: { lastSign: context.clock.now(), events: [], exit: null },
  });
}
