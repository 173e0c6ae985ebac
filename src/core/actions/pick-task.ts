import type { Failure } from "../failure/failure.ts";
import type { AgentId } from "../text/ids.ts";
import type { Briefs } from "./session-actions.ts";

interface Asked {
  readonly agent: AgentId;
  readonly branch: string;
}

/** An agent's task: its own, by id or branch, or the one for all; null where there is none. */
export function pickTask({ all, each }: Briefs, { agent, branch }: Asked): string | null {
  const own = (name: string) => (Object.hasOwn(each, name) ? each[name] : undefined);
  return own(agent) ?? own(branch) ?? all;
}

/** Who has no task though a folder of tasks was named: a name that was mistyped, most likely. */
export const withoutTask = (briefs: Briefs, agents: readonly Asked[]): Failure[] =>
  agents.flatMap((asked): Failure[] =>
    briefs.folder === null || pickTask(briefs, asked) !== null
      ? []
      : [{ kind: "brief.missing", agent: asked.agent, folder: briefs.folder }],
  );
