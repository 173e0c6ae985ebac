import type { AgentId, Branch } from "../text/ids.ts";
import { nameAgents } from "../text/naming.ts";

/**
 * Whose log is meant by an id or a branch: one of the session's agents, else one that is gone and has left its log.
 * Null where nobody was ever called so.
 */
export function pickLog(
  name: string,
  agents: readonly { readonly id: AgentId; readonly branch: string | null }[],
  logs: readonly string[],
): string | null {
  const here = agents.find(({ id, branch }) => id === name || branch === name);
  if (here !== undefined) return here.id;
  if (logs.includes(name)) return name;
  const [named] = nameAgents([name as Branch]).values();
  return named !== undefined && logs.includes(named) ? named : null;
}
