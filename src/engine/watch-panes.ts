import { agentLane } from "../core/ids.ts";
import { printable } from "../core/printable.ts";
import { isOpen, type PermissionRequest } from "../core/questions.ts";
import type { Run } from "../core/run.ts";
import { type Screen, screenOf } from "../core/screen.ts";
import type { Stand } from "../core/stand.ts";
import type { Pane } from "../ports/tmux.ts";
import type { House } from "./house.ts";
import { keepLog } from "./keep-log.ts";
import type { Living } from "./living.ts";
import { everyRun } from "./look.ts";
import { PaneAgent } from "./pane-agent.ts";

const LOOK_MS = 400;
const HISTORY = 200;

/**
 * Looks at the panes again and again: who has ended, who shows something new, who stands at a prompt. What was seen is
 * a fact of the agent's next decision, as if its process had told us.
 */
export function watchPanes(house: House, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let cancel = () => {};
  const turn = async () => {
    try {
      if (living(house).length > 0) await look(house);
    } catch (error) {
      onError(error);
    }
    if (!stopped) cancel = house.clock.after(LOOK_MS, turn);
  };
  cancel = house.clock.after(LOOK_MS, turn);
  return () => {
    stopped = true;
    cancel();
  };
}

interface Watched {
  readonly agent: PaneAgent;
  readonly heard: Living["heard"];
}

const living = ({ living: all }: House): Watched[] =>
  all
    .all()
    .flatMap(([, { process, heard }]) =>
      process instanceof PaneAgent && heard.exit === null ? [{ agent: process, heard }] : [],
    );

async function look(house: House): Promise<void> {
  const panes = (await house.tmux.look(house.place.session))?.panes ?? [];
  for (const { agent, heard } of living(house)) {
    const pane = panes.find(({ id, run }) => id === agent.pane && run === agent.of.run);
    if (pane === undefined) exits(house, agent, heard, null);
    else await see(house, agent, heard, pane);
  }
}

async function see(house: House, agent: PaneAgent, heard: Living["heard"], pane: Pane): Promise<void> {
  // A dead pane shows tmux's word about it last, and a smaller size has scrolled the program's own away.
  const text = await house.tmux.capture(agent.pane, { history: pane.dead ? HISTORY : 0, colours: true });
  if (text === null) return;
  const changed = agent.see(pane, text);
  if (changed) heard.lastSign = house.clock.now();
  await keepLog(house, agent);
  if (pane.dead) return exits(house, agent, heard, pane.exitCode);
  // While somebody scrolls, what it asks cannot be seen, and is still asked.
  if (agent.sure !== null && !pane.inMode) announce(agent, heard, askedOn(agent.sure, agent.stand));
  if (heard.events.length > 0 || hasMoved(agent)) house.wake(agentLane(agent.of.agent));
}

/** Since the last turn: it listens again (one that is being typed to does not), or is at something else. */
function hasMoved(agent: PaneAgent): boolean {
  const { listens, stand, at, watched } = agent;
  agent.watched = { listens, stand: stand?.text ?? null, at };
  return (listens && !watched.listens) || watched.stand !== agent.watched.stand || watched.at !== at;
}

function announce(agent: PaneAgent, heard: Living["heard"], now: PermissionRequest | null): void {
  if (agent.announced !== null && agent.announced !== now?.request)
    heard.events.push({ type: "permission.over", request: agent.announced });
  if (now !== null && agent.announced !== now.request) heard.events.push({ type: "permission", ...now });
  agent.announced = now?.request ?? null;
}

/** What it asks and can be answered from here. A command that may not be all there is no command to judge. */
function askedOn({ prompt }: Screen, stand: Stand | null): PermissionRequest | null {
  if (prompt === null || stand !== null) return null;
  const { request, text, command, complete } = prompt;
  return complete
    ? { request, text: command ?? text, command: command ?? null }
    : { request, text: `${text}\n(its screen may not show all of it: look at its pane)`, command: null };
}

function exits(house: House, agent: PaneAgent, heard: Living["heard"], code: number | null): void {
  const lastLine = printable(agent.lastLine).slice(0, 300);
  const exit = { at: house.clock.now(), code, signal: null, end: null, announces: false, lastLine };
  heard.exit = code === null ? { ...exit, closed: true } : exit;
  house.wake(agentLane(agent.of.agent));
}

type Seeing = Pick<House, "tmux" | "clock" | "agents" | "journal" | "living"> & {
  readonly place: Pick<House["place"], "session" | "state">;
};

/** Takes up the agents that went on while no supervisor was there, and closes panes of runs nobody knows. */
export async function adoptPanes(house: House): Promise<void> {
  for (const pane of await seePanes(house)) if (!pane.dead) await house.tmux.close(pane.id);
}

/** Counts agents that live in panes among the living; answers with agents' panes that belong to no run. */
export async function seePanes(house: Seeing): Promise<Pane[]> {
  const session = await house.tmux.look(house.place.session);
  if (session === null || session.owner !== house.place.state) return [];
  const runs = everyRun(house.journal);
  const strangers: Pane[] = [];
  for (const pane of session.panes) {
    const run = runs.find((each) => each.terminal && each.live !== null && each.live === pane.run);
    if (run !== undefined) adopt(house, run, pane);
    else if (pane.role === "agent" || pane.agent !== null) strangers.push(pane);
  }
  return strangers;
}

function adopt(house: Seeing, { agent, live, cli, worktree, log }: Run, pane: Pane): void {
  if (live === null) return;
  const process = new PaneAgent(house, pane.id, { agent, run: live, cli: screenOf(cli), worktree, log });
  process.pid = pane.pid;
  // What it was asking when nobody looked may have been answered in its pane since.
  const asked = [...house.journal.openQuestions.values()].find((each) => isOpen(each) && each.run === live);
  process.announced = asked?.request ?? null;
  house.living.set(agent, { run: live, process, heard: { lastSign: house.clock.now(), events: [], exit: null } });
}
