import { readFileSync } from "node:fs";
import { sessionName } from "../../core/text/naming.ts";
import type { Repository } from "../wire/find-repository.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The token of the agent or supervising model that we run for, if it is one of this repository's: there nobody speaks as
 * the person, whose token lies where they could read it. By our own environment, or else by that of a process above us: a
 * program that an agent starts can be started without its variables.
 */
export function ownToken(repository: Repository, env: NodeJS.ProcessEnv): string | null {
  const prefix = `${sessionName(repository.project, repository.commonDir)}.`;
  const own = tokenIn(env, prefix);
  if (own !== null) return own;
  for (const above of environmentsAbove()) {
    const token = tokenIn(above, prefix);
    if (token !== null) return token;
  }
  return null;
}

function tokenIn({ BANKSMAN_URL: url = "", BANKSMAN_RUN: run }: Variables, prefix: string): string | null {
  const token = /\/a\/([^/]+)$/.exec(url)?.[1];
  return token !== undefined && run?.startsWith(prefix) ? token : null;
}

const MOST_ABOVE = 64;

/** What the processes above us were started with, as far as /proc tells; nothing where there is none. */
function* environmentsAbove(): Generator<Variables> {
  let pid = process.ppid;
  for (let i = 0; i < MOST_ABOVE && pid > 1; i++) {
    const text = read(`/proc/${pid}/environ`);
    const entries = text.split("\0").filter((each) => each.startsWith("BANKSMAN_"));
    if (entries.length > 0) yield Object.fromEntries(entries.map((each) => each.split(/=(.*)/s)));
    const stat = read(`/proc/${pid}/stat`);
    pid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
