import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentCli, AgentOrder, LiveAgent } from "../../ports/agent-cli.ts";
import { Conversation } from "./conversation.ts";
import { killMarked, MARKER } from "./group.ts";
import { LogFile } from "./log-file.ts";
import { tiedToUs } from "./tied.ts";

/** Agents as child processes with pipes, each spoken to over the channel its order names. */
export function createAgents(env: NodeJS.ProcessEnv): AgentCli {
  // Asked now, so that the first launch need not wait for the answer.
  void tiedToUs([]);
  return {
    find: async (program, cwd) => findProgram(program, cwd, env.PATH ?? ""),
    launch: (order) => launch(order),
    endLeftovers: (prefix, spare) => killMarked(prefix, spare),
  };
}

async function launch(order: AgentOrder): Promise<LiveAgent> {
  const [program = "", ...args] = order.argv;
  const path = findProgram(program, order.cwd, order.env.PATH ?? "");
  if (path === null) throw new Failed({ kind: "cli.not-found", cli: program, command: program });
  const argv = await tiedToUs([path, ...args]);
  const env = { ...order.env, [MARKER]: order.run };
  // Before there is a process: one that cannot be listened to must not run.
  const log = openLog(order);
  const child = spawn(argv[0] as string, argv.slice(1), { cwd: order.cwd, env, detached: true, stdio: "pipe" });
  await started(child, order);
  return new Conversation(child, order, log);
}

function openLog({ log, secrets }: AgentOrder): LogFile {
  try {
    return new LogFile(log, secrets);
  } catch (error) {
    throw new Failed({ kind: "file.failed", path: log, detail: (error as Error).message });
  }
}

function started(child: ChildProcessWithoutNullStreams, { cwd }: AgentOrder): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done);
    child.once("error", (error) => fail(new Failed({ kind: "file.failed", path: cwd, detail: error.message })));
  });
}

/** As a shell would find it: a path as it stands, a name along PATH. */
export function findProgram(program: string, cwd: string, path: string): string | null {
  if (program === "") return null;
  if (program.includes("/")) return runnable(isAbsolute(program) ? program : resolve(cwd, program));
  for (const folder of path.split(delimiter)) {
    const found = folder === "" ? null : runnable(join(folder, program));
    if (found !== null) return found;
  }
  return null;
}

function runnable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}
