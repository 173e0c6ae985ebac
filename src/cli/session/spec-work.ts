import type { Owned } from "../../core/actions/session-actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { pickSpecs } from "../../core/specs/pick.ts";
import type { Spec } from "../../core/specs/spec.ts";
import type { Files } from "../../ports/files.ts";
import type { Git } from "../../ports/git.ts";
import { loadSpecs, type SpecPlace } from "../../specs/load.ts";
import type { Io } from "../command.ts";

export interface SpecChoice {
  /** Names that were given; null for all of them; empty to be asked. */
  readonly names: readonly string[] | null;
  /** Do not warn about specs that are not committed. */
  readonly force: boolean;
}

/** The pieces of work to start, as branches with their briefs and CLIs. */
export interface SpecWork {
  readonly branches: readonly string[];
  readonly briefs: Readonly<Record<string, string>>;
  readonly clis: Readonly<Record<string, string>>;
  readonly owned: Owned;
}

export async function chooseSpecs(
  ports: { readonly files: Files; readonly git: Git },
  place: SpecPlace,
  { names, force }: SpecChoice,
  io: Io,
): Promise<SpecWork> {
  const specs = await loadSpecs(ports.files, place);
  const { entries, warnings, type, folder, guessed } = specs;
  if (guessed) io.err(`Specs: ${type}, in ${folder}.\n`);
  const named = names === null || names.length === 0 ? null : pickSpecs(specs, names);
  // The failure says the same, of the one that was asked for.
  if (named !== null && "kind" in named && named.kind === "spec.left-out") throw new Failed(named);
  for (const warning of warnings) io.err(`${folder}: ${warning}\n`);
  if (entries.length === 0) throw new Failed({ kind: "spec.empty", type, folder });
  if (named !== null && "kind" in named) throw new Failed(named);
  const picked = named ?? (names === null ? entries : await ask(entries, io));
  if (!force) await warnUncommitted(ports.git, place.root, folder, picked, io);
  return {
    branches: picked.map(({ branch }) => branch),
    briefs: Object.fromEntries(picked.map((spec) => [spec.branch, briefOf(spec)])),
    clis: Object.fromEntries(picked.flatMap(({ branch, cli }) => (cli === null ? [] : [[branch, cli]]))),
    owned: ownedBy(entries),
  };
}

/** What belongs to which spec; also to those that nobody starts, whose files are not for others either. */
const ownedBy = (entries: readonly Spec[]): Owned =>
  Object.fromEntries(entries.flatMap(({ branch, owned }) => (owned.length === 0 ? [] : [[branch, owned]])));

/** The same where no spec is started; nothing where there are none, or it cannot be told which kind counts. */
export async function readOwned(files: Files, place: SpecPlace): Promise<Owned> {
  try {
    return ownedBy((await loadSpecs(files, place)).entries);
  } catch (error) {
    if (error instanceof Failed) return {};
    throw error;
  }
}

const briefOf = ({ prompt, owned }: Spec): string =>
  owned.length === 0
    ? prompt
    : `${prompt}\n\n## Files owned\n\nOnly you edit these in this session:\n\n${owned.map((path) => `- ${path}`).join("\n")}`;

/** Agents work from what is committed: what is only in your checkout they do not see. */
async function warnUncommitted(git: Git, root: string, folder: string, picked: readonly Spec[], io: Io): Promise<void> {
  const dirty = await git.dirtyFiles(root);
  const paths = [
    ...new Set(
      picked.map(({ path }) => `${folder}/${path.includes("/") ? path.slice(0, path.indexOf("/") + 1) : path}`),
    ),
  ];
  const open = paths.filter((path) => dirty.some((file) => file === path || file.startsWith(path)));
  for (const path of open)
    io.err(`Note: ${path} is not committed; the agents' worktrees do not have it (silence this with --force).\n`);
}

async function ask(entries: readonly Spec[], io: Io): Promise<readonly Spec[]> {
  if (!io.interactive)
    throw new Failed({
      kind: "usage",
      message: "Which specs?",
      hint: `Name them (\`--specs ${entries[0]?.id ?? "a"},…\`), or use \`--all-specs\`.`,
    });
  const { pickSeveral } = await import("./pickers.ts");
  const chosen = await pickSeveral(
    "Which specs?",
    entries.map(({ id, branch }) => ({ value: id, label: id, hint: branch })),
  );
  return entries.filter(({ id }) => chosen.includes(id));
}
