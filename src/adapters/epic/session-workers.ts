import type { Action } from "../../core/actions/actions.ts";
import { agentSignal } from "../../core/epic/decide/agent-signal.ts";
import { isOut } from "../../core/epic/decide/item-state.ts";
import { branchOf, writeTask } from "../../core/epic/decide/task.ts";
import { explain } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentView } from "../../core/views/snapshot.ts";
import type { Dispatcher } from "../../ports/epic.ts";
import type { SessionClient } from "../../ports/session-client.ts";
import { surfaceOf } from "./command-workers.ts";

interface Around {
  /** Whether a branch has commits of its own. */
  isAhead(branch: string): Promise<boolean>;
  /** Why the CLI of this name cannot be run here; null where it can. */
  whyNot(cli: string): Promise<Failure | null>;
}

/** Workers that are agents of the repository's session, headless, each on a branch of its dispatch. */
export const createSessionWorkers = (session: SessionClient, around: Around): Dispatcher => ({
  async dispatch(effect, epic) {
    const item = epic.items.find(({ id }) => id === effect.item);
    const branch = branchOf(epic.id, effect.item, effect.key);
    const work = {
      branches: [branch],
      cli: effect.worker,
      clis: {},
      briefs: { all: item ? writeTask(epic, item) : effect.title, each: {}, folder: null },
    };
    try {
      await sendTo(await session.open(), branch, work);
      return null;
    } catch (error) {
      if (error instanceof Failed) return explain(error.failure).message;
      throw error;
    }
  },
  async unable(workers) {
    const found = await Promise.all(workers.map(async (name) => [name, await around.whyNot(name)] as const));
    return new Map(
      found.flatMap(([name, failure]) =>
        failure === null ? [] : [[name, `cannot run here: ${explain(failure).message.replace(/\.$/, "")}`] as const],
      ),
    );
  },
  async observe(epic) {
    const out = epic.items.filter(isOut);
    const snapshot = out.length === 0 ? null : await session.look();
    if (snapshot === null) return [];
    const signals = out.map(async (item) => {
      const agent = latest(snapshot.agents, `epic/${epic.id}/${item.id}.`);
      if (agent === null) return null;
      return agentSignal(item.id, agent, await surfaceOf(around, agent.branch ?? ""));
    });
    return (await Promise.all(signals)).filter((signal) => signal !== null);
  },
});

type Work = Pick<Action & { type: "add" }, "branches" | "cli" | "clis" | "briefs">;
type Opened = Awaited<ReturnType<SessionClient["open"]>>;

const NEW_SESSION = {
  owned: {},
  rebase: false,
  arrangement: null,
  supervisor: null,
  again: false,
  dryRun: false,
} as const;

/** Where another tick was faster: its agent is ours too, and a session that it started is one to add to. */
async function sendTo(session: Opened, branch: string, work: Work): Promise<void> {
  const present = (await session.snapshot()).agents;
  if (present.some((agent) => agent.branch === branch)) return;
  try {
    if (present.length > 0) await session.act({ type: "add", ...work });
    else await session.act({ type: "start", ...work, ...NEW_SESSION });
  } catch (error) {
    const now = (await session.snapshot()).agents;
    if (now.some((agent) => agent.branch === branch)) return;
    if (present.length > 0 || now.length === 0) throw error;
    await session.act({ type: "add", ...work });
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
