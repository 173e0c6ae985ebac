import { Failed } from "../../core/failure/failed.ts";
import { type AgentId, SUPERVISOR } from "../../core/text/ids.ts";
import { sessionName } from "../../core/text/naming.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Pane } from "../../ports/tmux.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { readLog } from "../session/agent-log.ts";
import { openReader } from "../supervisor/reader.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";
import { wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "peek",
  summary: "Show what an agent's screen shows now; of a headless agent, the last it has said and done",
  args: [{ name: "<agent>", help: "The agent's id or branch." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman peek feat-auth", does: "prints its screen" },
    { run: "banksman peek feat-auth --json | jq -r .screen", does: "prints its screen, for a program" },
  ],
  async run({ args: [name = ""], options }, io) {
    const repository = await requireRepository(io);
    const reader = await openReader(repository);
    const { agents } = await reader.snapshot().finally(() => reader.close());
    const agent = agents.find(({ id, branch }) => id === name || branch === name);
    if (agent === undefined) {
      const known = agents.map(({ id }) => id);
      throw new Failed({ kind: "agent.unknown", agent: name, known, near: nearest(name, known) });
    }
    const session = sessionName(repository.project, repository.commonDir);
    const show = (screen: string, pane: string | null): number => {
      if (options.json) printJson(io, { agent: agent.id, pane, screen });
      else io.out(`${screen.trimEnd()}\n`);
      return OK;
    };
    const said = agent.pane === null ? await lastWords(repository, session, agent.id) : null;
    if (said !== null) return show(said, null);
    const { tmux } = wirePorts(repository, io.env);
    try {
      const found = await tmux.look(session);
      const pane = found?.owner === repository.state ? found.panes.find(paneOf(agent.id)) : undefined;
      const screen = pane === undefined ? null : await tmux.capture(pane.id);
      if (pane === undefined || screen === null) throw new Failed({ kind: "session.no-panes" });
      return show(screen, pane.id);
    } finally {
      await tmux.leave();
    }
  },
};

const MOST_LINES = 40;

/** The end of what a headless agent has said and done; null where there is nothing of it. */
async function lastWords(repository: Repository, session: string, agent: AgentId): Promise<string | null> {
  const log = await readLog(wireFiles(), repository.root, session, agent);
  return log === null || log.entries === null ? null : log.text.split("\n").slice(-MOST_LINES).join("\n");
}

const paneOf = (id: AgentId) => (pane: Pane) => (id === SUPERVISOR ? pane.role === "supervisor" : pane.agent === id);
