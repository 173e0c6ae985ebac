import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentPlace } from "../../broker/agent-client.ts";
import type { Connection } from "../../broker/client.ts";
import { PROTOCOL } from "../../core/text/protocol.ts";
import { findRepository, type Repository } from "../wire/find-repository.ts";
import { ownToken } from "./own-token.ts";

/** What a supervisor says of itself in `run.json`. Nothing secret: agents may read it to find a moved port. */
export interface SupervisorFile {
  readonly url: string;
  readonly pid: number;
  readonly protocol: number;
  readonly since: string;
}

export const supervisorFile = (state: string): string => join(state, "run.json");
/** The operator's token, made anew at every start of a supervisor; readable by the user alone. */
export const tokenFile = (state: string): string => join(state, "operator.token");
/** In the repository itself, which must have one supervisor, whatever HOME or state folder it is started with. */
export const lockFile = ({ commonDir }: Pick<Repository, "commonDir">): string =>
  join(commonDir, "banksman", "lock.db");
/** Which repository the folder is about, for whoever finds it later. */
export const repositoryFile = (state: string): string => join(state, "repository.json");
export const journalFile = (state: string): string => join(state, "journal.db");
export const logFile = (state: string): string => join(state, "supervisor.log");

/** The supervisor that run.json names, if its process lives. A stale file is nobody. */
export function readSupervisorFile(state: string): (SupervisorFile & { readonly connection: Connection }) | null {
  try {
    const run = JSON.parse(readFileSync(supervisorFile(state), "utf8")) as Partial<SupervisorFile>;
    const { url, pid, protocol = PROTOCOL, since = "" } = run;
    if (typeof url !== "string" || typeof pid !== "number" || !lives(pid)) return null;
    return { url, pid, protocol, since, connection: { url, token: readFileSync(tokenFile(state), "utf8").trim() } };
  } catch {
    return null;
  }
}

/** Who we are where an agent calls us; null where its environment is missing. */
export function agentPlace(cwd: string, env: NodeJS.ProcessEnv): AgentPlace | null {
  const { BANKSMAN_URL: url, BANKSMAN_AGENT: agent } = env;
  if (!url || !agent) return null;
  const now = () => {
    const repository = findRepository(cwd, env);
    return repository === null ? null : (readSupervisorFile(repository.state)?.url ?? null);
  };
  return { url, agent, now };
}

/** The connection to a supervisor, with the rights that this process has. */
export function connectionTo(
  repository: Repository,
  { url, connection }: SupervisorFile & { connection: Connection },
  env: NodeJS.ProcessEnv,
): Connection {
  const token = ownToken(repository, env);
  return token === null ? connection : { url, token };
}

/**
 * Whether a process runs. A zombie does not: it waits for a parent, which in a container may take its time. But while a
 * thread of it is left, at the disk perhaps, it still has its lock and its port.
 */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat[stat.lastIndexOf(")") + 2] === "Z" && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return false;
  }
}
