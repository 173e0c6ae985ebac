import { spawn } from "node:child_process";
import { Failed } from "../../core/failure.ts";
import { sessionName } from "../../core/naming.ts";
import { type Command, OK } from "../command.ts";
import { requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { wireWorld } from "../wire.ts";

export const command: Command = {
  name: "attach",
  summary: "Look at the session in tmux; detaching stops nothing",
  examples: [
    { run: "banksman attach", does: "leave it again with your tmux prefix and d" },
    { run: "banksman attach | cat", does: "without a terminal: prints the tmux command" },
  ],
  ownSignals: true,
  async run(_, io) {
    const here = await requireHere(io);
    const session = sessionName(here.project, here.commonDir);
    const { tmux } = wireWorld(here, io.env);
    const found = await tmux.look(session).finally(() => tmux.leave());
    if (found === null || found.owner !== here.state) throw new Failed({ kind: "session.no-panes" });
    if (!io.interactive) {
      io.out(`${attachLine(here, io.env)}\n`);
      return OK;
    }
    return attach(here, io.env);
  },
};

/** The command a person types. */
export function attachLine(here: Here, env: NodeJS.ProcessEnv): string {
  const socket = env.BANKSMAN_TMUX_SOCKET;
  const server = !socket ? "" : `${socket.includes("/") ? "-S" : "-L"} ${socket} `;
  return `tmux ${server}attach -t ${sessionName(here.project, here.commonDir)}`;
}

/** Hands the terminal to tmux; inside the same server it switches instead, because sessions do not nest. */
export function attach(here: Here, env: NodeJS.ProcessEnv): Promise<number> {
  const socket = env.BANKSMAN_TMUX_SOCKET;
  const server = !socket ? [] : [socket.includes("/") ? "-S" : "-L", socket];
  const verb = env.TMUX && !socket ? "switch-client" : "attach-session";
  const child = spawn("tmux", [...server, verb, "-t", `=${sessionName(here.project, here.commonDir)}`], {
    stdio: "inherit",
    env,
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
