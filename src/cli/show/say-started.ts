import { isFinished } from "../../core/messages/roster.ts";
import { counted } from "../../core/text/counted.ts";
import { SUPERVISOR } from "../../core/text/ids.ts";
import type { AgentView } from "../../core/views/snapshot.ts";
import type { StartResult } from "../../modes/session/start.ts";

/** What `start` or `add` has done, in a sentence above the list of agents. */
export function sayStarted(did: StartResult["did"], session: string, agents: readonly AgentView[]): string {
  const count = counted(agents.filter(({ id }) => id !== SUPERVISOR).length, "agent");
  if ((did === "restart" || did === "recover" || did === "reattach") && agents.every(hasFinished))
    return `${session}: every agent has finished, and nothing was started. To go on: \`banksman tell <agent> <text>\`, or \`banksman start --again\`.`;
  return WORDS[did](session, count);
}

const hasFinished = ({ state, pid }: AgentView): boolean => isFinished(state) && pid === null;

const WORDS: Readonly<Record<StartResult["did"], (session: string, agents: string) => string>> = {
  fresh: (session, agents) => `Started ${session} with ${agents}:`,
  restart: (session, agents) => `Started ${session} again with ${agents}:`,
  recover: (session, agents) => `Recovered ${session} with ${agents}:`,
  reattach: (session, agents) => `Already running: ${session} with ${agents}:`,
  add: (session, agents) => `Added ${agents} to ${session}:`,
};
