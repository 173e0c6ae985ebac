import { branchProblem } from "../../core/session/branch-name.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { AgentCli } from "../../ports/agent-cli.ts";
import type { Ports } from "../../ports/ports.ts";
import { type Choice, pickOne, pickSeveral, typeText } from "./pickers.ts";

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
  const branches = await askBranches(git);
  if (cli !== null) return { branches, cli, clis: {} };
  const known = await installed(agents, settings);
  const each = branches.length > 1 ? [{ value: EACH, label: "another one for each branch" }] : [];
  const chosen = await pickOne("Which CLI?", [...known, ...each], settings.defaultCli ?? undefined);
  if (chosen !== EACH) return { branches, cli: chosen, clis: {} };
  const clis: Record<string, string> = {};
  for (const branch of branches) clis[branch] = await pickOne(`Which CLI for ${branch}?`, known);
  return { branches, cli: null, clis };
}

/** Those that are there, and new ones by name; where none is there but the present one, only new ones. */
async function askBranches(git: Ports["git"]): Promise<readonly string[]> {
  const [head, local, remote] = await Promise.all([git.head(), git.branches(), git.remoteBranches()]);
  const names = [...new Set([...local.keys(), ...remote.keys()])].filter((name) => name !== head.branch).sort();
  if (names.length === 0) return typeBranches(head.branch);
  const chosen = await pickSeveral(
    "Which branches? (type to filter, Tab chooses)",
    names.map((name) => ({ value: name, label: name, ...(local.has(name) ? {} : { hint: "remote" }) })),
    { value: NEW, label: "new branches, by name" },
  );
  const old = chosen.filter((name) => name !== NEW);
  return old.length === chosen.length ? old : [...new Set([...old, ...(await typeBranches(head.branch))])];
}

const NEW = "";

async function typeBranches(present: string): Promise<readonly string[]> {
  const read = (typed: string) => typed.split(/[\s,]+/).filter(Boolean);
  const problem = (typed: string): string | null => {
    const names = read(typed);
    if (names.length === 0) return "Type at least one name.";
    const bad = names.find((name) => branchProblem(name) !== null);
    if (bad !== undefined) return `${bad} cannot be a branch: ${branchProblem(bad)}.`;
    return names.includes(present) ? `${present} is the branch you are on: agents need their own.` : null;
  };
  const typed = await typeText("Names of the new branches (several: with commas), for example feat/login", "", problem);
  return [...new Set(read(typed))];
}

/** Only what is there to be run; ours, which plays a script, last. */
export async function installed(agents: AgentCli, { clis }: SessionSettings): Promise<Choice[]> {
  const found = await Promise.all(
    [...clis.values()].map(async ({ name, argv }) => ({ name, path: await agents.find(argv[0] ?? "", "/") })),
  );
  const names = found.filter(({ path }) => path !== null).map(({ name }) => name);
  const own = (name: string) => Number(name === "scripted");
  return names.sort((a, b) => own(a) - own(b)).map((name) => ({ value: name, label: name }));
}
