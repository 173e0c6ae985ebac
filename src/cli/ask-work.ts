import type { SessionSettings } from "../core/settings.ts";
import type { Git } from "../ports/git.ts";
import { pickOne, pickSeveral } from "./pickers.ts";

export interface AskedWork {
  readonly branches: readonly string[];
  readonly cli: string | null;
  readonly clis: Readonly<Record<string, string>>;
}

const EACH = "";

/** Asks a person which branches, and who works on them. */
export async function askWork(git: Git, settings: SessionSettings, cli: string | null): Promise<AskedWork> {
  const [head, local, remote] = await Promise.all([git.head(), git.branches(), git.remoteBranches()]);
  const names = [...new Set([...local.keys(), ...remote.keys()])].filter((name) => name !== head.branch).sort();
  const branches = await pickSeveral(
    "Which branches? (type to filter, Tab chooses; new ones: --branches)",
    names.map((name) => ({ value: name, label: name, ...(local.has(name) ? {} : { hint: "remote" }) })),
  );
  const known = [...settings.clis.keys()].map((name) => ({ value: name, label: name }));
  if (cli !== null) return { branches, cli, clis: {} };
  const each = branches.length > 1 ? [{ value: EACH, label: "another one for each branch" }] : [];
  const chosen = await pickOne("Which CLI?", [...known, ...each], settings.defaultCli ?? undefined);
  if (chosen !== EACH) return { branches, cli: chosen, clis: {} };
  const clis: Record<string, string> = {};
  for (const branch of branches) clis[branch] = await pickOne(`Which CLI for ${branch}?`, known);
  return { branches, cli: null, clis };
}
