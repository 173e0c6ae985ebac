import { spawnSync } from "node:child_process";
import { Failed } from "../../core/failure/failed.ts";
import { pickLog } from "../../core/session/pick-log.ts";
import { counted } from "../../core/text/counted.ts";
import { sessionName } from "../../core/text/naming.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Files } from "../../ports/files.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { LOGS, listLogs, readLog } from "../session/agent-log.ts";
import { localTime } from "../show/local-time.ts";
import { openReader } from "../supervisor/reader.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";

export const command: Command = {
  name: "replay",
  summary: "Print what an agent has shown, or said and done, even after the agent is gone",
  args: [{ name: "[agent]", help: "The agent's id or branch." }],
  options: [
    { flags: "--list", help: "List the logs." },
    { flags: "--color", help: "Keep colours, and open $PAGER or `less -R`." },
    { flags: "--session <name>", help: "Use the logs of another session of this repository." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman replay feat-auth", does: "prints it as plain text; of a headless agent prompts, texts and tools" },
    { run: "banksman replay --list", does: "lists agent, size and time of each log" },
  ],
  async run({ args: [name], options }, io) {
    const repository = await requireRepository(io);
    const files = wireFiles();
    const present = sessionName(repository.project, repository.commonDir);
    const session = typeof options.session === "string" ? options.session : present;
    if (session !== present) await requireLogs(files, repository.root, session);
    const logs = await listLogs(files, repository.root, session);
    if (options.list || name === undefined) {
      if (options.json) printJson(io, logs);
      else if (logs.length === 0) io.out("There are no logs.\n");
      else
        for (const { agent, bytes, at } of logs)
          io.out(`${agent}  ${counted(bytes, "byte")}  ${localTime(at, Date.now())}\n`);
      return OK;
    }
    const agents = session === present ? await agentsOf(repository) : [];
    const known = [...new Set([...agents.map(({ id }) => id), ...logs.map((log) => log.agent)])];
    const agent = pickLog(
      name,
      agents,
      logs.map((log) => log.agent),
    );
    if (agent === null) throw new Failed({ kind: "agent.unknown", agent: name, known, near: nearest(name, known) });
    const log = await readLog(files, repository.root, session, agent);
    if (log === null) throw new Failed({ kind: "agent.no-log", agent });
    const { paths, text, entries } = log;
    if (options.json) printJson(io, { session, agent, ...(entries === null ? { text } : { entries }) });
    else if (options.color && io.interactive && entries === null) return page(paths, io.env);
    else io.out(`${text}\n`);
    return OK;
  },
};

/** A name that somebody typed: it must be one of the folders there, and nothing else. */
async function requireLogs(files: Files, root: string, session: string): Promise<void> {
  const known = (await files.listInside(root, LOGS)).filter((name) => !name.startsWith("."));
  if (!known.includes(session)) throw new Failed({ kind: "session.no-logs", session, known });
}

async function agentsOf(repository: Repository) {
  const reader = await openReader(repository);
  return (await reader.snapshot().finally(() => reader.close())).agents;
}

/** The pager is the user's own choice, and the one thing here that a shell reads. */
function page(files: readonly string[], env: NodeJS.ProcessEnv): number {
  const pager = env.PAGER || "less -R";
  return spawnSync("sh", ["-c", `${pager} "$@"`, "pager", ...files], { stdio: "inherit", env }).status ?? 1;
}
