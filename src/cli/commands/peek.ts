import { Failed } from "../../core/failure/failed.ts";
import { type AgentId, SUPERVISOR } from "../../core/text/ids.ts";
import { sessionName } from "../../core/text/naming.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Pane } from "../../ports/tmux.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { openReader } from "../supervisor/reader.ts";
import { wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "peek",
  summary: "Show what an agent's screen shows now",
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
    const { tmux } = wirePorts(repository, io.env);
    try {
      const session = await tmux.look(sessionName(repository.project, repository.commonDir));
      const pane = session?.owner === repository.state ? session.panes.find(paneOf(agent.id)) : undefined;
      const screen = pane === undefined ? null : await tmux.capture(pane.id);
      if (screen === null) throw new Failed({ kind: "session.no-panes" });
      if (options.json) printJson(io, { agent: agent.id, pane: pane?.id, screen });
      else io.out(`${screen.trimEnd()}\n`);
      return OK;
    } finally {
      await tmux.leave();
    }
  },
};

const paneOf = (id: AgentId) => (pane: Pane) => (id === SUPERVISOR ? pane.role === "supervisor" : pane.agent === id);
