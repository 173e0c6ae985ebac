import { Failed } from "../../core/failure.ts";
import { type AgentId, SUPERVISOR } from "../../core/ids.ts";
import { sessionName } from "../../core/naming.ts";
import { nearest } from "../../core/nearest.ts";
import type { Pane } from "../../ports/tmux.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";
import { wireWorld } from "../wire.ts";

export const command: Command = {
  name: "peek",
  summary: "Look at an agent's screen",
  args: [{ name: "<agent>", help: "Its id or its branch." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman peek feat-auth", does: "what its pane shows now" },
    { run: "banksman peek feat-auth --json | jq -r .screen", does: "the same, for a program" },
  ],
  async run({ args: [name = ""], options }, io) {
    const here = await requireHere(io);
    const reader = await openReader(here);
    const { agents } = await reader.snapshot().finally(() => reader.close());
    const agent = agents.find(({ id, branch }) => id === name || branch === name);
    if (agent === undefined) {
      const known = agents.map(({ id }) => id);
      throw new Failed({ kind: "agent.unknown", agent: name, known, near: nearest(name, known) });
    }
    const { tmux } = wireWorld(here, io.env);
    try {
      const session = await tmux.look(sessionName(here.project, here.commonDir));
      const pane = session?.owner === here.state ? session.panes.find(paneOf(agent.id)) : undefined;
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
