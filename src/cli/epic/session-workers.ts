import { surfaceOf } from "../../adapters/epic/command-workers.ts";
import type { Line } from "../../broker/client.ts";
import type { Action } from "../../core/actions.ts";
import type { Environment } from "../../core/environment.ts";
import { agentSignal } from "../../core/epic/agent-signal.ts";
import { isOut } from "../../core/epic/standing.ts";
import { branchOf, writeTask } from "../../core/epic/task.ts";
import { explain } from "../../core/explain.ts";
import { Failed } from "../../core/failure.ts";
import type { AgentView, Snapshot } from "../../core/snapshot.ts";
import type { Command } from "../../ports/command.ts";
import type { Dispatcher } from "../../ports/epic-hands.ts";
import { act, ask, connect } from "../connect.ts";
import { type Here, lineTo, readRun } from "../place.ts";

/** Workers that are agents of the repository's session, headless, each on a branch of its dispatch. */
export const createSessionWorkers = (command: Command, here: Here, env: Environment): Dispatcher => ({
  async dispatch(effect, epic) {
    const item = epic.items.find(({ id }) => id === effect.item);
    const branch = branchOf(epic.id, effect.item, effect.key);
    const work = {
      branches: [branch],
      cli: effect.worker,
      briefs: { all: item ? writeTask(epic, item) : effect.title, each: {} },
    };
    try {
      const line = await connect(here, "recover");
      await sendTo(line, branch, work);
      return null;
    } catch (error) {
      if (error instanceof Failed) return explain(error.failure).message;
      throw error;
    }
  },
  async observe(epic) {
    const run = readRun(here.state);
    const out = epic.items.filter(isOut);
    if (run === null || out.length === 0) return [];
    const snapshot = await ask<Snapshot>(lineTo(here, run, env), "/snapshot").catch(() => null);
    const signals = out.map(async (item) => {
      const agent = latest(snapshot?.agents ?? [], `epic/${epic.id}/${item.id}.`);
      return agent === null
        ? null
        : agentSignal(item.id, agent, await surfaceOf(command, { root: here.root, env }, agent.branch ?? ""));
    });
    return (await Promise.all(signals)).filter((signal) => signal !== null);
  },
});

type Work = Pick<Action & { type: "add" }, "branches" | "cli" | "briefs">;

/** Where another tick was faster: its agent is ours too, and a session that it started is one to add to. */
async function sendTo(line: Line, branch: string, work: Work): Promise<void> {
  const present = (await ask<Snapshot>(line, "/snapshot")).agents;
  if (present.some((agent) => agent.branch === branch)) return;
  try {
    if (present.length > 0) await act(line, { type: "add", ...work });
    else await act(line, { type: "start", ...work, clis: {}, owned: {}, rebase: false, arrangement: null });
  } catch (error) {
    const now = (await ask<Snapshot>(line, "/snapshot")).agents;
    if (now.some((agent) => agent.branch === branch)) return;
    if (present.length > 0 || now.length === 0) throw error;
    await act(line, { type: "add", ...work });
  }
}

/** The agent of the last dispatch: branches end in epoch and seq. */
function latest(agents: readonly AgentView[], prefix: string): AgentView | null {
  const turn = ({ branch }: AgentView) => (branch ?? "").slice(prefix.length).split(".").map(Number);
  const own = agents.filter(
    ({ branch }) => branch?.startsWith(prefix) && /^\d+\.\d+$/.test(branch.slice(prefix.length)),
  );
  return own.sort((a, b) => (turn(b)[0] ?? 0) - (turn(a)[0] ?? 0) || (turn(b)[1] ?? 0) - (turn(a)[1] ?? 0))[0] ?? null;
}
