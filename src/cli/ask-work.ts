import type { SessionSettings } from "../core/settings.ts";
import type { AgentCli } from "../ports/agent-cli.ts";
import type { Ports } from "../ports/ports.ts";
import { type Choice, pickOne, pickSeveral } from "./pickers.ts";

export interface AskedWork {
  readonly branches: readonly string[];
  readonly cli: string | null;
  readonly clis: Readonly<Record<string, string>>;
}

const EACH = "";

/** Asks a person which branches, and who works on them. */
export async function askWork(
  { git, agents }: Pick<Ports, "git" | "agents">,
  settings: SessionSettings,
  cli: string | null,
): Promise<AskedWork> {
  const [head, local, remote] = await Promise.all([git.head(), git.branches(), git.remoteBranches()]);
  const names = [...new Set([...local.keys(), ...remote.keys()])].filter((name) => name !== head.branch).sort();
  const branches = await pickSeveral(
    "Which branches? (type to filter, Tab chooses; new ones: --branches)",
    names.map((name) => ({ value: name, label: name, ...(local.has(name) ? {} : { hint: "remote" }) })),
  );
  if (cli !== null) return { branches, cli, clis: {} };
  const known = await installed(agents, settings);
  const each = branches.length > 1 ? [{ value: EACH, label: "another one for each branch" }] : [];
  const chosen = await pickOne("Which CLI?", [...known, ...each], settings.defaultCli ?? undefined);
  if (chosen !== EACH) return { branches, cli: chosen, clis: {} };
  const clis: Record<string, string> = {};
  for (const branch of branches) clis[branch] = await pickOne(`Which CLI for ${branch}?`, known);
  return { branches, cli: null, clis };
}

/** Only what is there to be run; ours, which plays a script, last. */
async function installed(agents: AgentCli, { clis }: SessionSettings): Promise<Choice[]> {
  const found = await Promise.all(
    [...clis.values()].map(async ({ name, argv }) => ({ name, path: await agents.find(argv[0] ?? "", "/") })),
  );
  const names = found.filter(({ path }) => path !== null).map(({ name }) => name);
  const own = (name: string) => Number(name === "scripted");
  return names.sort((a, b) => own(a) - own(b)).map((name) => ({ value: name, label: name }));
}
