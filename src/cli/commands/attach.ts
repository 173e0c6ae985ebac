import { spawn } from "node:child_process";
import { Failed } from "../../core/failure/failed.ts";
import { sessionName } from "../../core/text/naming.ts";
import { type Command, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "attach",
  summary: "Open the session in tmux; detaching stops nothing",
  examples: [
    { run: "banksman attach", does: "opens the session; leave it with your tmux prefix and d" },
    { run: "banksman attach | cat", does: "without a terminal, prints the tmux command" },
  ],
  ownSignals: true,
  async run(_, io) {
    const repository = await requireRepository(io);
    const session = sessionName(repository.project, repository.commonDir);
    const { tmux } = wirePorts(repository, io.env);
    const found = await tmux.look(session).finally(() => tmux.leave());
    if (found === null || found.owner !== repository.state) throw new Failed({ kind: "session.no-panes" });
    if (!io.interactive) {
      io.out(`${attachLine(repository, io.env)}\n`);
      return OK;
    }
    return attach(repository, io.env);
  },
};

/** The command a person types. */
export function attachLine(repository: Repository, env: NodeJS.ProcessEnv): string {
  const socket = env.BANKSMAN_TMUX_SOCKET;
  const server = !socket ? "" : `${socket.includes("/") ? "-S" : "-L"} ${socket} `;
  return `tmux ${server}attach -t ${sessionName(repository.project, repository.commonDir)}`;
}

/** Hands the terminal to tmux; inside the same server it switches instead, because sessions do not nest. */
export function attach(repository: Repository, env: NodeJS.ProcessEnv): Promise<number> {
  const socket = env.BANKSMAN_TMUX_SOCKET;
  const server = !socket ? [] : [socket.includes("/") ? "-S" : "-L", socket];
  const verb = env.TMUX && !socket ? "switch-client" : "attach-session";
  const child = spawn("tmux", [...server, verb, "-t", `=${sessionName(repository.project, repository.commonDir)}`], {
    stdio: "inherit",
    env,
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
